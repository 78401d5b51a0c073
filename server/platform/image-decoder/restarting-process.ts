import { DecodeTimeoutError, UnavailableError, UnsupportedImageError } from '../errors.ts';
import type { DecoderProcess } from './decoder-process-handle.ts';
import type { DecoderResponse, TaskContent } from './decoder-process/decoder-protocol.ts';

export type DecoderOutcome = Awaited<ReturnType<DecoderProcess['ask']>>;
export type DecoderResult = NonNullable<DecoderResponse['result']>;
export type RestartingProcess = ReturnType<typeof createRestartingProcess>;

/** A process takes up to 100 MB, and a new one starts while the next photo is uploaded. */
const IDLE_TIMEOUT_MS = 30_000;

/** Starts the process on first use, and again after it has exited. Ends it when it is idle. */
export function createRestartingProcess({
  startProcess,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
}: {
  startProcess: () => DecoderProcess;
  idleTimeoutMs?: number;
}) {
  let process: DecoderProcess | null = null;
  let isClosed = false;
  let pending = 0;
  let idleTimer: NodeJS.Timeout | undefined;

  return {
    isRunning: () => process?.isRunning() ?? false,
    isMemoryHigh: () => process?.isMemoryHigh() ?? false,
    warmUp() {
      if (isClosed) return;
      start();
      endWhenIdle();
    },
    async ask(task: TaskContent, timeoutMs?: number): Promise<DecoderOutcome> {
      const running = start();
      pending++;
      try {
        return await running.ask(task, timeoutMs);
      } finally {
        pending--;
        endWhenIdle();
      }
    },
    /** @throws UnsupportedImageError, DecodeTimeoutError, UnavailableError */
    resultOf(outcome: DecoderOutcome): DecoderResult {
      if (outcome === 'timeout') throw new DecodeTimeoutError();
      if (outcome?.result) return outcome.result;
      if (isClosed) throw new UnavailableError();
      if (outcome?.failed) throw new Error(`The image could not be decoded: ${outcome.failed}`);
      // No response: the image crashed the process.
      throw new UnsupportedImageError(outcome?.rejected ?? 'damaged');
    },
    end,
    async close(): Promise<void> {
      isClosed = true;
      await end();
    },
  };

  function start(): DecoderProcess {
    if (isClosed) throw new UnavailableError();
    clearTimeout(idleTimer);
    return process?.isRunning() ? process : (process = startProcess());
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    await process?.end();
  }

  function endWhenIdle(): void {
    clearTimeout(idleTimer);
    if (pending === 0) idleTimer = setTimeout(() => void end(), idleTimeoutMs).unref();
  }
}
