import type { AppContext } from '../../platform/context.ts';

/** The public page of a share. */
export function shareUrl({ baseUrl }: Pick<AppContext, 'baseUrl'>, { token }: { token: string }): string {
  return `${baseUrl.origin()}/p/${token}`;
}
