import type { RequestHandler } from 'express';
import { createAccountSlots } from '../../../../platform/limits/account-slots.ts';
import { currentUser } from '../access/require-user.ts';

const slots = createAccountSlots({
  slots: 4,
  total: 32,
  maxInLine: 100,
  maxWaitMs: 15_000,
  name: 'responses',
  message: 'Too much is going on at once. Please try again in a moment.',
});

/** Limits concurrent large responses in this process: each is in memory until its client has read it. */
export const limitLargeResponses: RequestHandler = async (request, response, next) => {
  const free = await slots.take(currentUser(request).id);
  if (response.destroyed) return free();
  response.once('close', free);
  next();
};
