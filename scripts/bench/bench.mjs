// npm run bench: measures the app's speed relative to a minimal server. See bench/README.md.
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { runBench } = await import('./run-bench.mjs');
await runBench('bench/main.ts');
