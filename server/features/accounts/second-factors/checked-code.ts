export type CheckedCode =
  { isRight: true; method: 'totp' | 'recovery-code' } | { isRight: false; message: string };
