import { ApiError } from './api-client.ts';

export const UNREACHABLE = "Mems Are Forever can't be reached. Please check your connection and try again.";

const GATEWAY_STATUSES = [502, 503, 504];

/** Whether the network or a gateway failed, not the server itself. */
export function isUnreachable(error: unknown): boolean {
  // What fetch throws.
  if (error instanceof TypeError) return true;
  return error instanceof ApiError && error.body === null && GATEWAY_STATUSES.includes(error.status);
}
