import type { AppContext } from '../../platform/context.ts';

/** Where whoever has the link sees the picture. */
export function publicUrl({ baseUrl }: Pick<AppContext, 'baseUrl'>, { token }: { token: string }): string {
  return `${baseUrl.origin()}/p/${token}`;
}
