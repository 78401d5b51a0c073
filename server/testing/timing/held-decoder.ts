import { startDecoderProcess } from '../../platform/image-decoder/decoder-process-handle.ts';

/** The real decoder, which waits before it decodes uploads, and records the photos that it has probed and was asked to decode. */
export function createHeldDecoder() {
  const probed: Uint8Array[] = [];
  const decoded: Uint8Array[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const start: typeof startDecoderProcess = (...args) => {
    const decoder = startDecoderProcess(...args);
    return {
      ...decoder,
      async ask(task, timeoutMs) {
        if (task.kind === 'inspect') {
          decoded.push(task.bytes);
          await released;
        }
        const response = await decoder.ask(task, timeoutMs);
        if (task.kind === 'probe') probed.push(task.bytes);
        return response;
      },
    };
  };
  return { start, probed, decoded, release: () => release() };
}
