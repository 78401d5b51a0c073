import { afterAll, afterEach, beforeEach, inject, vi } from 'vitest';
import './deny-network.ts';
import './fast-check-seed.ts';
import { closeTestServers, openTestServers } from '../test-server.ts';

// Vitest runs this module once per test file; the modules that it imports are cached across files.
vi.stubEnv('TMPDIR', inject('temporaryFolder'));
let serversOfFile: ReturnType<typeof openTestServers>;
beforeEach(() => void (serversOfFile = openTestServers()));
afterEach(() => closeTestServers(serversOfFile));
afterAll(() => closeTestServers());
