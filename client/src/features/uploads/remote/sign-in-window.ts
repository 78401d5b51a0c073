import { SESSION_TOKEN } from '#shared/transfers/remote-source';

const WINDOW_FEATURES = 'popup,width=640,height=760';
const CHECK_MS = 250;
/** The message of a window that closes itself may arrive later than its end. */
const RESULT_DELAY_MS = 2000;

export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/**
 * Opens a vendor's sign-in page; call it in a click, or the browser blocks it. The server's page at its end reports the
 * sign-in and closes the window. Uppy's own login needs a newer Companion (/api2/auth-callback).
 * @throws SignInError with a message for the person
 */
export function openSignInWindow(url: string, name: string, signal: AbortSignal): Promise<void> {
  const opened = window.open(url, '_blank', WINDOW_FEATURES);
  return new Promise((resolve, reject) => {
    if (!opened)
      return reject(
        new SignInError(
          `Your browser blocked the window of ${name}. Please allow pop-ups here and try again.`,
        ),
      );
    const end = new AbortController();
    const fail = (error: Error) => {
      end.abort();
      opened.close();
      reject(error);
    };
    const receive = ({ origin, data }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || !isSignInResult(data)) return;
      if (data.token !== SESSION_TOKEN)
        return fail(new SignInError(`${name} did not let you in. You can try again.`));
      end.abort();
      opened.close();
      resolve();
    };
    let closedSince: number | null = null;
    const check = setInterval(() => {
      if (!opened.closed) return;
      closedSince ??= Date.now();
      if (Date.now() - closedSince < RESULT_DELAY_MS) return;
      fail(
        new SignInError(`The window of ${name} was closed before you were signed in. You can open it again.`),
      );
    }, CHECK_MS);
    end.signal.addEventListener('abort', () => clearInterval(check));
    window.addEventListener('message', receive, { signal: end.signal });
    signal.addEventListener('abort', () => fail(new DOMException('Aborted', 'AbortError')), {
      signal: end.signal,
    });
  });
}

function isSignInResult(data: unknown): data is { token: unknown } {
  return typeof data === 'object' && data !== null && 'token' in data;
}
