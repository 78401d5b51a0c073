import type { AppContext } from '../../platform/context.ts';

/** The public page of a share. */
export function shareUrl(
  { publicAddress }: Pick<AppContext, 'publicAddress'>,
  { token }: { token: string },
): string {
  return `${publicAddress.origin()}/p/${token}`;
}
