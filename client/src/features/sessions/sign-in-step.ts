import * as z from 'zod/mini';

/** States of a page with a sign-in, in its history entry: a reload stays in the second step, and Back leaves it. */
export const CODE_STEP = { step: 'code' };
export const EXPIRED_STEP = { step: 'expired' };

const CodeStep = z.object({ step: z.literal('code') });
const ExpiredStep = z.object({ step: z.literal('expired') });

export function isCodeStep(state: unknown): boolean {
  return CodeStep.safeParse(state).success;
}

export function isExpiredStep(state: unknown): boolean {
  return ExpiredStep.safeParse(state).success;
}

/** The URL of this page at its first step. `?step=code` is the second one after another service. */
export function firstStepUrl(): string {
  const { pathname, search, hash } = window.location;
  const params = new URLSearchParams(search);
  params.delete('step');
  return `${pathname}${params.size > 0 ? `?${params}` : ''}${hash}`;
}
