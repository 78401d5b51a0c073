import { cpus } from 'node:os';
import { shutdownSignal } from '../server/app/signals.ts';
import { allCases } from './cases/all-cases.ts';
import { startEnvironment, type Environment } from './environment/start-environment.ts';
import { caseTable, measureCase, type CaseResult } from './measure/measure-case.ts';
import { flipbookTable, measureFlipbook } from './measure/measure-flipbook.ts';
import { galleryTable, measureGallery } from './measure/measure-gallery.ts';
import { installationTable, measureInstallation } from './measure/measure-installation.ts';
import { measureSms, smsTable } from './measure/measure-sms.ts';
import { measureUpload, uploadTable } from './measure/measure-upload.ts';
import { parseOptions, type Options } from './options.ts';
import { writeReadme } from './write-readme.ts';

const report = (line: string) => console.log(line);

async function measure(environment: Environment, options: Options): Promise<void> {
  const { rounds, seconds } = options;
  const isSelected = (name: string) => {
    const isIt = name.toLowerCase().includes(options.only.toLowerCase());
    if (isIt) report(`Measuring: ${name}`);
    return isIt;
  };
  const results: CaseResult[] = [];
  for (const benchCase of allCases) {
    if (isSelected(benchCase.name)) results.push(await measureCase(benchCase, environment, options));
  }
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const parts = [`${day}, ${machine}: ${rounds} rounds with turns of ${seconds} s.`];
  if (results.length > 0) parts.push(caseTable(results));
  if (isSelected('Gallery')) parts.push(galleryTable(await measureGallery(environment, rounds * 2)));
  if (isSelected('Flipbook')) parts.push(flipbookTable(await measureFlipbook(environment)));
  if (isSelected('Upload')) parts.push(uploadTable(await measureUpload(environment, rounds * 3)));
  if (isSelected('SMS')) parts.push(smsTable(await measureSms(environment, rounds * 3)));
  if (process.platform === 'linux' && isSelected('Memory and start'))
    parts.push(installationTable(await measureInstallation()));
  const measured = parts.join('\n\n');
  report(measured);
  if (options.writeReadme) await writeReadme(measured);
}

const options = parseOptions(process.argv.slice(2));
const endRequested = shutdownSignal();
const environment = await startEnvironment({ profile: options.profile, report });
try {
  const signal = await Promise.race([measure(environment, options), endRequested]);
  process.exitCode = signal ? 1 : 0;
} finally {
  await environment.end();
}
process.exit();
