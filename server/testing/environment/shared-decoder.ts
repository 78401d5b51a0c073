import { findIsolation, type Isolation } from '../../platform/image-decoder/decoder-command.ts';
import {
  startDecoderProcess,
  type DecoderProcess,
} from '../../platform/image-decoder/decoder-process-handle.ts';

let isolation: Promise<Isolation> | undefined;

/** The same for all servers of a worker: their data folders are in the system's folder for temporary files. */
export const findIsolationOnce = () => (isolation ??= findIsolation([]));

/** Enough for two servers. Each takes about 75 MB. */
const MAX_FREE = 4;
/** Of servers that were closed. */
const free: { decoder: DecoderProcess; isolation: Isolation | undefined }[] = [];

/** The real decoder. Its start takes longer than most tests, so that a server of the worker takes over that of a closed one. */
export const startSharedDecoder: typeof startDecoderProcess = (memoryLimitKib, sandbox) => {
  const decoder = takeFree(sandbox?.isolation) ?? startDecoderProcess(memoryLimitKib, sandbox);
  let pending = 0;
  let hasEnded = false;
  return {
    isRunning: () => !hasEnded && decoder.isRunning(),
    isMemoryHigh: () => decoder.isMemoryHigh(),
    async ask(task, timeoutMs) {
      pending++;
      return decoder.ask(task, timeoutMs).finally(() => pending--);
    },
    async end() {
      if (hasEnded) return;
      hasEnded = true;
      if (pending > 0 || decoder.isMemoryHigh() || free.length >= MAX_FREE) await decoder.end();
      else free.push({ decoder, isolation: sandbox?.isolation });
    },
  };
};

function takeFree(isolation: Isolation | undefined): DecoderProcess | undefined {
  const index = free.findIndex((each) => each.isolation === isolation && each.decoder.isRunning());
  return index === -1 ? undefined : free.splice(index, 1)[0]?.decoder;
}
