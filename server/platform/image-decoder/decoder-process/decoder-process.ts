import { readFileSync } from 'node:fs';
import { inspectImage, probeImage, renderImage } from './decode-image.ts';
import { READY, type Answer, type Task } from './decoder-protocol.ts';
import { ImageRefusal } from './image-refusal.ts';

// The program that reads pictures: a process of its own, so that no file can hurt the server. It
// ends with the server.
process.on('disconnect', () => process.exit(0));
// A Ctrl-C reaches everybody in the terminal: the server decides when this ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', (task: Task) => {
  perform(task).then(
    (result) => answer({ id: task.id, result }),
    (error: unknown) => answer({ id: task.id, ...describe(error) }),
  );
});
// Whoever started this may have been killed meanwhile, and nobody is left to tell: 'disconnect' comes next.
process.send?.(READY, () => undefined);

function perform(task: Task): Promise<NonNullable<Answer['result']>> {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  switch (task.kind) {
    case 'probe':
      return probeImage(bytes);
    case 'inspect':
      return inspectImage(bytes);
    case 'render':
      return renderImage(bytes, task.renderings);
  }
}

function describe(error: unknown): Pick<Answer, 'refused' | 'failed'> {
  return error instanceof ImageRefusal ? { refused: error.reason } : { failed: String(error) };
}

function answer(message: Answer): void {
  // Whoever asked may have been killed meanwhile.
  process.send?.({ ...message, memoryBytes: usedMemory() }, undefined, {}, () => undefined);
}

/** What the limit counts (RLIMIT_DATA), which is up to 130 MB more than what is resident; only Linux knows it. */
function usedMemory(): number {
  try {
    const kib = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
    if (kib) return Number(kib) * 1024;
  } catch {
    // No /proc.
  }
  return process.memoryUsage.rss();
}
