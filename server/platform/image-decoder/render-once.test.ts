import { describe, expect, it } from 'vitest';
import { DecodeTimeoutError, UnavailableError, UnsupportedImageError } from '../errors.ts';
import { createRenderOnce } from './render-once.ts';

/** Renders that reject with the error, if any, and are counted. */
function createRender(error?: Error) {
  const count = { renders: 0 };
  const render = () => {
    count.renders++;
    return error ? Promise.reject(error) : Promise.resolve();
  };
  return { count, render };
}

describe('rendering once', () => {
  it('shares one run between concurrent calls for the same variants of an image, with its result', async () => {
    const renderOnce = createRenderOnce();
    const { count, render } = createRender();
    const calls = [
      ['a', '800'],
      ['a', '800'],
      ['a', 'shared'],
      ['b', '800'],
    ] as const;
    await Promise.all(calls.map(([image, variants]) => renderOnce(image, variants, render)));
    expect(count.renders).toBe(3);
    await renderOnce('a', '800', render);
    expect(count.renders).toBe(4);
  });

  it('does not try rejected variants again for some time, but others of the image', async () => {
    const renderOnce = createRenderOnce(50);
    const { count, render } = createRender(new UnsupportedImageError('damaged'));
    const { render: renderOther } = createRender();
    await expect(renderOnce('a', '800', render)).rejects.toThrow('damaged');
    await expect(renderOnce('a', '800', render)).rejects.toThrow('damaged');
    await renderOnce('a', '200', renderOther);
    expect(count.renders).toBe(1);
    await renderOnce('b', '800', renderOther);
    const tryAgain = () =>
      renderOnce('a', '800', renderOther).then(
        () => 'rendered',
        () => 'rejected',
      );
    expect(await tryAgain()).toBe('rejected');
    await expect.poll(tryAgain).toBe('rendered');
  });

  it('does not try again for some time what took the decoder too long', async () => {
    const renderOnce = createRenderOnce();
    const { count, render } = createRender(new DecodeTimeoutError());
    await expect(renderOnce('a', '800', render)).rejects.toThrow(DecodeTimeoutError);
    await expect(renderOnce('a', '800', render)).rejects.toThrow(DecodeTimeoutError);
    expect(count.renders).toBe(1);
  });

  it('tries again at once after an error that is not the image’s', async () => {
    const renderOnce = createRenderOnce();
    const { count, render } = createRender(new UnavailableError());
    await expect(renderOnce('a', '800', render)).rejects.toThrow(UnavailableError);
    await expect(renderOnce('a', '800', render)).rejects.toThrow(UnavailableError);
    expect(count.renders).toBe(2);
  });
});
