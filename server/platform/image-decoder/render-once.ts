import { UnsupportedImageError } from '../errors.ts';

/** Browsers, crawlers and jobs try again within it. */
const REJECTION_LIFETIME_MS = 10 * 60_000;

/** Runs `render`, which makes these variants of the image. */
export type RenderOnce = <Result>(
  imageId: string,
  variants: string,
  render: () => Promise<Result>,
) => Promise<Result>;

/**
 * Concurrent renders of the same variants share one run. Those that the decoder has rejected are rejected at once for some
 * time: they may have taken the decoder as long as its timeout. Smaller ones may still succeed.
 */
export function createRenderOnce(rejectionLifetimeMs = REJECTION_LIFETIME_MS): RenderOnce {
  const running = new Map<string, Promise<unknown>>();
  const rejections = new Map<string, UnsupportedImageError>();

  return <Result>(imageId: string, variants: string, render: () => Promise<Result>) => {
    const key = `${imageId}/${variants}`;
    const rejection = rejections.get(key);
    if (rejection) return Promise.reject(rejection);
    const shared = running.get(key) as Promise<Result> | undefined;
    if (shared) return shared;
    const run = render()
      .catch((error: unknown) => {
        if (error instanceof UnsupportedImageError) remember(key, error);
        throw error;
      })
      .finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };

  function remember(key: string, rejection: UnsupportedImageError): void {
    rejections.set(key, rejection);
    setTimeout(() => rejections.delete(key), rejectionLifetimeMs).unref();
  }
}
