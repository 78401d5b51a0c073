import type { AppContext } from '../../../platform/context.ts';

/** A keyed hash of the change's id: the job that sends the link needs no stored secret, and a retry sends the same link. */
export function toEmailChangeToken(
  { keyedHash }: Pick<AppContext, 'keyedHash'>,
  purpose: 'confirm' | 'undo',
  changeId: string,
): string {
  return keyedHash(`email-change-${purpose}`, changeId);
}
