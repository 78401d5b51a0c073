import { page, Rejection, type Reply } from './vendor-host.ts';

export const apiError = (code: number, status: string, message: string): Reply => ({
  status: code,
  json: { error: { code, message, status, errors: [{ message, domain: 'global', reason: status }] } },
});
export const invalid = (message: string) => new Rejection(apiError(400, 'INVALID_ARGUMENT', message));
export const notFound = () => new Rejection(apiError(404, 'NOT_FOUND', 'Requested entity was not found.'));

export const html = (title: string, content: string): Reply => page(title, content);
/** Posts a message to the window that opened or embeds the page. */
export const post = (to: 'opener' | 'parent', origin: string, message: unknown): string => {
  const json = JSON.stringify(message).replaceAll('<', '\\u003c');
  return `<script>${to}.postMessage(${json}, ${JSON.stringify(origin)});${to === 'opener' ? 'close();' : ''}</script>`;
};
