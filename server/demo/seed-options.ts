import { parseArgs } from 'node:util';
import { LoginRequest } from '#shared/accounts/user';
import { StartupError } from '../platform/process/startup-error.ts';

export type SeedOptions = { memories: number; pets: number; email: string };

const MAX = { memories: 1_000_000, pets: 1_000 };

const USAGE = `npm run seed -- --memories 10000 [--pets 5] [--email me@mems.example]`;

/** @throws StartupError with all errors and the usage */
export function parseSeedOptions(args: string[]): SeedOptions {
  const given = readArguments(args);
  const errors: string[] = [];
  const count = (name: 'memories' | 'pets', text: string | undefined) => {
    const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : NaN;
    if (!(value <= MAX[name])) errors.push(`--${name} must be a whole number, 0 to ${MAX[name]}`);
    return value;
  };
  const memories = count('memories', given.memories);
  const pets = count('pets', given.pets ?? '5');
  const email = LoginRequest.shape.email.safeParse(given.email ?? 'seed@mems.example');
  if (!email.success) errors.push('--email must be an email address');
  if (errors.length > 0 || !email.success) throw usageError(errors);
  return { memories, pets, email: email.data };
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { memories: text, pets: text, email: text } }).values;
  } catch (error) {
    throw usageError([(error as Error).message]);
  }
}

function usageError(errors: string[]): StartupError {
  return new StartupError([...errors, `Usage: ${USAGE}`].join('\n'));
}
