import { parseArgs } from 'node:util';
import { LoginRequest } from '#shared/user';
import { StartupError } from '../platform/startup-error.ts';

/** What `npm run seed` was asked for. */
export type SeedOptions = { memories: number; pets: number; email: string };

const MOST = { memories: 1_000_000, pets: 1_000 };

export const SEED_USAGE = `npm run seed -- --memories 10000 [--pets 5] [--email somebody@mems.example]`;

/** @throws StartupError naming all that is wrong, and how it is called */
export function parseSeedOptions(args: string[]): SeedOptions {
  const given = readArguments(args);
  const problems: string[] = [];
  const count = (name: 'memories' | 'pets', text: string | undefined) => {
    const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : NaN;
    if (!(value <= MOST[name])) problems.push(`--${name} must be a whole number, 0 to ${MOST[name]}`);
    return value;
  };
  const memories = count('memories', given.memories);
  const pets = count('pets', given.pets ?? '5');
  const email = LoginRequest.shape.email.safeParse(given.email ?? 'seed@mems.example');
  if (!email.success) problems.push('--email must be an email address');
  if (problems.length > 0 || !email.success) throw usage(problems);
  return { memories, pets, email: email.data };
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { memories: text, pets: text, email: text } }).values;
  } catch (error) {
    throw usage([(error as Error).message]);
  }
}

function usage(problems: string[]): StartupError {
  return new StartupError([...problems, `Like this: ${SEED_USAGE}`].join('\n'));
}
