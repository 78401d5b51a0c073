import { shutdownSignal } from '../server/app/signals.ts';
import { allCases } from './cases/all-cases.ts';
import { flipbookTable } from './flipbook/flipbook-table.ts';
import { measureFlipbook } from './flipbook/measure-flipbook.ts';
import { measureGallery } from './gallery/measure-gallery.ts';
import { measureCase, type CaseResult } from './measure/measure-case.ts';
import { parseOptions, type Options } from './options.ts';
import { describeRun } from './report/report.ts';
import { writeReadme } from './report/write-readme.ts';
import { measureTexts } from './texts/measure-texts.ts';
import { textsTable } from './texts/texts-table.ts';
import { startStage, type Stage } from './stage/start-stage.ts';

const report = (line: string) => console.log(line);

async function measure(stage: Stage, options: Options): Promise<void> {
  const results: CaseResult[] = [];
  const isAsked = (name: string) => name.toLowerCase().includes(options.only.toLowerCase());
  for (const benchCase of allCases.filter(({ name }) => isAsked(name))) {
    report(`Measuring: ${benchCase.name}`);
    results.push(await measureCase(benchCase, stage, options));
  }
  const browserPath = process.env['CHROMIUM_PATH'] ?? '';
  if (isAsked('Gallery')) report('Measuring: Gallery');
  const gallery = isAsked('Gallery')
    ? await measureGallery(stage, { rounds: options.rounds * 2, browserPath })
    : null;
  if (isAsked('Flipbook')) report('Measuring: Flipbook');
  const flipbook = isAsked('Flipbook') ? flipbookTable(await measureFlipbook(stage)) : null;
  if (isAsked('Texts')) report('Measuring: Texts');
  const texts = isAsked('Texts') ? textsTable(await measureTexts(stage, options.rounds * 3)) : null;
  const measured = [describeRun(results, gallery, options), flipbook, texts].filter(Boolean).join('\n\n');
  report(measured);
  if (options.isWritten) await writeReadme(measured);
}

const options = parseOptions(process.argv.slice(2));
const endRequested = shutdownSignal();
const stage = await startStage({ profile: options.profile, report });
try {
  const signal = await Promise.race([measure(stage, options), endRequested]);
  process.exitCode = signal ? 1 : 0;
} finally {
  await stage.end();
}
process.exit();
