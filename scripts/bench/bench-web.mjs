// npm run bench:web: measures the pages in a real browser. See bench/README.md.
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { runBench } = await import('./run-bench.mjs');
await runBench('bench/web/main.ts');
