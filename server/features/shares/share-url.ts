import type { AppContext } from '../../platform/context.ts';

/** Where whoever has the link sees the picture. */
export function publicUrl(
  { publicAddress }: Pick<AppContext, 'publicAddress'>,
  { token }: { token: string },
): string {
  return `${publicAddress.origin()}/p/${token}`;
}
