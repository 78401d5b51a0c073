import type { AppContext } from '../context.ts';
import { deleteFlipbookPdfObjectJob } from '../flipbooks/delete-flipbook-pdf-object-job.ts';
import { makeFlipbookPdfJob } from '../flipbooks/make-flipbook-pdf-job.ts';
import { tendFlipbookPdfsJob } from '../flipbooks/tend-flipbook-pdfs-job.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { purgeIdempotencyKeysJob } from '../idempotency/purge-idempotency-keys-job.ts';
import { deleteImageObjectsJob } from '../images/delete-image-objects-job.ts';
import { purgeTrashJob } from '../memories/purge-trash-job.ts';
import { purgeUploadsJob } from '../uploads/purge-uploads-job.ts';
import {
  createVariantsJobDefinition,
  deleteImageObjectsJobDefinition,
  deleteFlipbookPdfObjectJobDefinition,
  makeFlipbookPdfJobDefinition,
  purgeIdempotencyKeysJobDefinition,
  purgeTrashJobDefinition,
  purgeUploadsJobDefinition,
  tendFlipbookPdfsJobDefinition,
} from './job-catalogue.ts';

/** Gives every kind of job its handler. */
export async function startWorker(
  context: Pick<AppContext, 'db' | 'jobs' | 'storage' | 'imageDecoder' | 'clock'>,
): Promise<void> {
  await context.jobs.work(createVariantsJobDefinition, createVariantsJob(context));
  await context.jobs.work(deleteImageObjectsJobDefinition, deleteImageObjectsJob(context));
  await context.jobs.work(purgeUploadsJobDefinition, purgeUploadsJob(context));
  await context.jobs.work(purgeTrashJobDefinition, purgeTrashJob(context));
  await context.jobs.work(purgeIdempotencyKeysJobDefinition, purgeIdempotencyKeysJob(context));
  await context.jobs.work(makeFlipbookPdfJobDefinition, makeFlipbookPdfJob(context));
  await context.jobs.work(deleteFlipbookPdfObjectJobDefinition, deleteFlipbookPdfObjectJob(context));
  await context.jobs.work(tendFlipbookPdfsJobDefinition, tendFlipbookPdfsJob(context));
}
