import { readFileSync } from 'node:fs';
import { cropImage, inspectImage, probeImage, renderImage } from './decode-image.ts';
import { ImageRejectedError, READY, type DecoderResponse, type Task } from './decoder-protocol.ts';

// The entry of the decoder process: a file that crashes a decoder must not crash the server. It exits with the server.
process.on('disconnect', () => process.exit(0));
// Ctrl-C signals the whole process group, but the server needs the decoder until it has drained.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', (task: Task) => {
  perform(task).then(
    (result) => respond({ id: task.id, result }),
    (error: unknown) => respond({ id: task.id, ...describe(error) }),
  );
});
// The server may be gone already; the callback swallows that error, and 'disconnect' follows.
process.send?.(READY, () => undefined);

function perform(task: Task): Promise<NonNullable<DecoderResponse['result']>> {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  switch (task.kind) {
    case 'probe':
      return probeImage(bytes);
    case 'inspect':
      return inspectImage(bytes);
    case 'render':
      return renderImage(bytes, task.renderings);
    case 'crop':
      return cropImage(bytes, task.crop, task.maxSide);
  }
}

function describe(error: unknown): Pick<DecoderResponse, 'rejected' | 'failed'> {
  return error instanceof ImageRejectedError ? { rejected: error.reason } : { failed: String(error) };
}

function respond(message: DecoderResponse): void {
  // The server may be gone already; see above.
  process.send?.({ ...message, memoryBytes: usedMemory() }, undefined, {}, () => undefined);
}

/** VmData is what RLIMIT_DATA limits: up to 130 MB more than the resident size. Linux only. */
function usedMemory(): number {
  try {
    const kib = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
    if (kib) return Number(kib) * 1024;
  } catch {
    // There is no /proc on this system.
  }
  return process.memoryUsage.rss();
}
