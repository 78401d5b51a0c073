import { createCaricatures } from './caricature.ts';
import { createEmails } from './email.ts';
import { createExports } from './export.ts';
import { createImports } from './import.ts';
import type { OperationFactory } from './operation.ts';
import { createTexts } from './text.ts';
import { createUploads } from './upload.ts';

/** A new kind of work is a file here and a line below. */
export const allOperations: readonly OperationFactory[] = [
  createUploads,
  createTexts,
  createEmails,
  createCaricatures,
  createExports,
  createImports,
];
