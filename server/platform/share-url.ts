import type { AppContext } from './context.ts';

export function shareUrl({ baseUrl }: Pick<AppContext, 'baseUrl'>, { token }: { token: string }): string {
  return `${baseUrl.origin()}/p/${token}`;
}
