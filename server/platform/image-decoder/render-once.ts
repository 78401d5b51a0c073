import { DECODE_RETRY_SECONDS, DecodeTimeoutError, UnsupportedImageError } from '../errors.ts';

/** Browsers, crawlers and jobs try again within it. */
const FAILURE_LIFETIME_MS = DECODE_RETRY_SECONDS * 1000;

type Failure = UnsupportedImageError | DecodeTimeoutError;

/** Runs `render`, which makes these variants of the image. */
export type RenderOnce = <Result>(
  imageId: string,
  variants: string,
  render: () => Promise<Result>,
) => Promise<Result>;

/**
 * Concurrent renders of the same variants share one run. Those that the decoder has rejected, or that took it too
 * long, fail at once for some time. Smaller ones may still succeed.
 */
export function createRenderOnce(failureLifetimeMs = FAILURE_LIFETIME_MS): RenderOnce {
  const running = new Map<string, Promise<unknown>>();
  const failures = new Map<string, Failure>();

  return <Result>(imageId: string, variants: string, render: () => Promise<Result>) => {
    const key = `${imageId}/${variants}`;
    const failure = failures.get(key);
    if (failure) return Promise.reject(failure);
    const shared = running.get(key) as Promise<Result> | undefined;
    if (shared) return shared;
    const run = render()
      .catch((error: unknown) => {
        if (error instanceof UnsupportedImageError || error instanceof DecodeTimeoutError)
          remember(key, error);
        throw error;
      })
      .finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };

  function remember(key: string, failure: Failure): void {
    failures.set(key, failure);
    setTimeout(() => failures.delete(key), failureLifetimeMs).unref();
  }
}
