import type { BenchCase } from './bench-case.ts';
import { helloCase } from './hello-case.ts';
import { likeCase } from './like-case.ts';
import { listCases } from './list-cases.ts';
import { imageCases } from './image-cases.ts';
import { searchCases } from './search-cases.ts';
import { statsCase } from './stats-case.ts';
import { userCases } from './user-cases.ts';

/** In the order of the table. */
export const allCases: BenchCase[] = [
  helloCase,
  ...userCases,
  ...listCases,
  ...searchCases,
  statsCase,
  likeCase,
  ...imageCases,
];
