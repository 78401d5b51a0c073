import { startDecoderProcess } from '../../platform/image-decoder/decoder-process-handle.ts';

/** The real decoder, which takes too long for these photos while `isSlow`, and counts its decodes. */
export function createSlowDecoder(isOfSlowPhoto: (bytes: Uint8Array) => boolean = () => true) {
  const decoder = { start, isSlow: true, decodes: 0 };
  return decoder;

  function start(...args: Parameters<typeof startDecoderProcess>): ReturnType<typeof startDecoderProcess> {
    const started = startDecoderProcess(...args);
    return {
      ...started,
      async ask(task, timeoutMs) {
        if (task.kind === 'probe') return started.ask(task, timeoutMs);
        decoder.decodes++;
        return decoder.isSlow && isOfSlowPhoto(task.bytes) ? 'timeout' : started.ask(task, timeoutMs);
      },
    };
  }
}
