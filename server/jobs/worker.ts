import type { AppContext } from '../context.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { createVariantsJobDefinition } from './job-catalogue.ts';

/** Gives every kind of job its handler. */
export async function startWorker(
  context: Pick<AppContext, 'db' | 'jobs' | 'storage' | 'imageDecoder'>,
): Promise<void> {
  await context.jobs.work(createVariantsJobDefinition, createVariantsJob(context));
}
