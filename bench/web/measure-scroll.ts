import type { CDPSession } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCpuTimes, type Tab } from './browser.ts';
import { startFilm } from './film.ts';

const SECONDS = 5;
const STEP_PX = 300;
const STEP_MS = 50;
const SAMPLE_MS = 200;

export type ScrollResult = {
  fps: number;
  longTasks: number;
  longestTaskMs: number;
  scriptMs: number;
  layoutMs: number;
  /** The largest numbers in the page. */
  nodes: number;
  images: number;
};

type Recording = { frames: number; longTasks: number[]; nodes: number; images: number; startedAt: number };

declare global {
  interface Window {
    stopRecording: () => Recording & { seconds: number };
  }
}

/** Turns the mouse wheel for five seconds over an element. `profile`: the file for a CPU profile, `film`: the folder for frames. */
export async function measureScroll(
  { page, session }: Tab,
  scrolled: string,
  { profile = null, film = null }: { profile?: string | null; film?: string | null } = {},
): Promise<ScrollResult> {
  const list = page.locator(scrolled).first();
  await list.evaluate((element) => {
    // Into view, without scrolling the list itself.
    if (element.getBoundingClientRect().top > window.innerHeight / 2)
      element.parentElement?.parentElement?.scrollIntoView({ block: 'center' });
  });
  await page.waitForLoadState('networkidle');
  await page.mouse.move(640, 400);
  if (profile) {
    await session.send('Profiler.enable');
    await session.send('Profiler.start');
  }
  const endFilm = film === null ? null : await startFilm(session, film);
  const before = await readCpuTimes(session);
  await page.evaluate(startRecording, SAMPLE_MS);
  await turnWheel(session);
  const recording = await page.evaluate(() => window.stopRecording());
  const after = await readCpuTimes(session);
  await endFilm?.();
  if (profile) {
    const { profile: recorded } = await session.send('Profiler.stop');
    await mkdir(dirname(profile), { recursive: true });
    await writeFile(profile, JSON.stringify(recorded));
  }
  return {
    fps: recording.frames / recording.seconds,
    longTasks: recording.longTasks.length,
    longestTaskMs: Math.max(0, ...recording.longTasks),
    scriptMs: after.script - before.script,
    layoutMs: after.layout - before.layout,
    nodes: recording.nodes,
    images: recording.images,
  };
}

/** Sends each turn on time, without waiting until the page has handled the one before. */
async function turnWheel(session: CDPSession): Promise<void> {
  const turns: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let turn = 0; turn < (SECONDS * 1000) / STEP_MS; turn++) {
    turns.push(
      session.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: 640,
        y: 400,
        deltaX: 0,
        deltaY: STEP_PX,
      }),
    );
    await delay(Math.max(0, startedAt + (turn + 1) * STEP_MS - performance.now()));
  }
  await Promise.all(turns);
}

/** In the page. Counting nodes and images uses live collections, which costs next to nothing. */
function startRecording(sampleMs: number): void {
  const recording: Recording = {
    frames: 0,
    longTasks: [],
    nodes: 0,
    images: 0,
    startedAt: performance.now(),
  };
  const [elements, images] = [document.getElementsByTagName('*'), document.images];
  const observer = new PerformanceObserver((list) =>
    recording.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ type: 'longtask' });
  const sample = () => {
    recording.nodes = Math.max(recording.nodes, elements.length);
    recording.images = Math.max(recording.images, images.length);
  };
  const timer = setInterval(sample, sampleMs);
  let request = 0;
  const count = () => {
    recording.frames++;
    request = requestAnimationFrame(count);
  };
  request = requestAnimationFrame(count);
  window.stopRecording = () => {
    clearInterval(timer);
    cancelAnimationFrame(request);
    observer.disconnect();
    sample();
    return { ...recording, seconds: (performance.now() - recording.startedAt) / 1000 };
  };
}
