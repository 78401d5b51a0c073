import { cpus } from 'node:os';
import { shutdownSignal } from '../server/app/signals.ts';
import { allCases } from './cases/all-cases.ts';
import { startEnvironment, type Environment } from './environment/start-environment.ts';
import { caricatureTable, measureCaricature } from './measure/measure-caricature.ts';
import { caseTable, measureCase, runsTable, type CaseResult } from './measure/measure-case.ts';
import { flipbookTable, measureFlipbook } from './measure/measure-flipbook.ts';
import { galleryTable, measureGallery } from './measure/measure-gallery.ts';
import { installationTable, measureInstallation } from './measure/measure-installation.ts';
import { measureRows, rowsTable } from './measure/measure-rows.ts';
import { measureSms, smsTable } from './measure/measure-sms.ts';
import { measureUpload, uploadTable } from './measure/measure-upload.ts';
import { parseOptions, type Options } from './options.ts';
import { writeReadme } from './write-readme.ts';

const report = (line: string) => console.log(line);

type Run = { cases: CaseResult[]; others: string[] };

async function measure(options: Options): Promise<void> {
  const { rounds, rows, runs, seconds } = options;
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const parts = [`${day}, ${machine}: ${rounds} rounds with turns of ${seconds} s.`];
  if (rows !== null) {
    const comparisons = await withEnvironment({ profile: null }, (standard) =>
      withEnvironment({ profile: null, rows }, (large) =>
        orInterruption(measureRows(standard, large, { rounds, seconds, report })),
      ),
    );
    parts.push(rowsTable(rows, comparisons));
  } else {
    const results: CaseResult[][] = [];
    for (let nth = 1; nth <= runs; nth++) {
      if (runs > 1) report(`Run ${nth} of ${runs}`);
      const { cases, others } = await withEnvironment({ profile: options.profile }, (environment) =>
        orInterruption(run(environment, options)),
      );
      results.push(cases);
      // The tables of the last run.
      parts.splice(1, Infinity, ...(cases.length > 0 ? [caseTable(cases)] : []), ...others);
      if (nth < runs) report(parts.join('\n\n'));
    }
    if (runs > 1) parts.push(runsTable(results));
  }
  const measured = parts.join('\n\n');
  report(measured);
  if (options.writeReadme) await writeReadme(rows === null ? 'measured' : 'rows', measured);
}

async function withEnvironment<Result>(
  settings: { profile: string | null; rows?: number },
  act: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const environment = await startEnvironment({ ...settings, report });
  try {
    return await act(environment);
  } finally {
    await environment.end();
  }
}

async function run(environment: Environment, options: Options): Promise<Run> {
  return {
    cases: await measureCases(environment, options),
    others: await measureOthers(environment, options),
  };
}

function isSelected(name: string, { only }: Options): boolean {
  const isIt = name.toLowerCase().includes(only.toLowerCase());
  if (isIt) report(`Measuring: ${name}`);
  return isIt;
}

async function measureCases(environment: Environment, options: Options): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const benchCase of allCases) {
    if (isSelected(benchCase.name, options)) results.push(await measureCase(benchCase, environment, options));
  }
  return results;
}

/** Measurements without a baseline. Returns tables in Markdown. */
async function measureOthers(environment: Environment, options: Options): Promise<string[]> {
  const { rounds } = options;
  const tables: string[] = [];
  if (isSelected('Gallery', options))
    tables.push(galleryTable(await measureGallery(environment, rounds * 2)));
  if (isSelected('Flipbook', options)) tables.push(flipbookTable(await measureFlipbook(environment)));
  if (isSelected('Upload', options)) tables.push(uploadTable(await measureUpload(environment, rounds * 3)));
  if (isSelected('SMS', options)) tables.push(smsTable(await measureSms(environment, rounds * 3)));
  if (isSelected('Caricature', options))
    tables.push(caricatureTable(await measureCaricature(environment, rounds * 3)));
  if (process.platform === 'linux' && isSelected('Memory and start', options))
    tables.push(installationTable(await measureInstallation()));
  return tables;
}

const options = parseOptions(process.argv.slice(2));
const endRequested = shutdownSignal();

/** @throws at the first signal, so that the environments end */
function orInterruption<Result>(result: Promise<Result>): Promise<Result> {
  const interruption = endRequested.then((signal) => Promise.reject(new Error(`Ended by ${signal}`)));
  return Promise.race([result, interruption]);
}

await measure(options).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
process.exit();
