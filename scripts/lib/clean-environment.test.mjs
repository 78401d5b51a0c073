import { afterEach, expect, it, vi } from 'vitest';
import { cleanEnvironment } from './clean-environment.mjs';

afterEach(() => vi.unstubAllEnvs());

it('has what any program needs, but no settings of the shell except those that are named', () => {
  vi.stubEnv('PATH', '/bin');
  vi.stubEnv('DATABASE_URL', 'postgres://db/mems');
  vi.stubEnv('E2E_BASE_URL', 'http://127.0.0.1:5000');
  expect(cleanEnvironment()).toMatchObject({ PATH: '/bin', ENV_FILE: '' });
  expect(Object.keys(cleanEnvironment())).not.toContain('E2E_BASE_URL');
  const named = cleanEnvironment(['E2E_BASE_URL']);
  expect(named).toMatchObject({ PATH: '/bin', E2E_BASE_URL: 'http://127.0.0.1:5000' });
  expect(Object.keys(named)).not.toContain('DATABASE_URL');
});
