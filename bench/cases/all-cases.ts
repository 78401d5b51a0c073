import type { BenchCase } from './bench-case.ts';
import { likeCase } from './like-case.ts';
import { listCases } from './list-cases.ts';
import { imageCases } from './image-cases.ts';
import { searchCases } from './search-cases.ts';
import { statsCase } from './stats-case.ts';
import { userCase } from './user-case.ts';

/** In the order of the table. */
export const allCases: BenchCase[] = [
  userCase,
  ...listCases,
  ...searchCases,
  statsCase,
  likeCase,
  ...imageCases,
];
