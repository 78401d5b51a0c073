import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from '@playwright/test';
import { shutdownSignal } from '../../server/app/signals.ts';
import { startEnvironment, type Environment } from '../environment/start-environment.ts';
import { flipbookTable, measureFlipbook } from '../measure/measure-flipbook.ts';
import { launchBrowser, openTab } from './browser.ts';
import { writeReadme } from '../write-readme.ts';
import { signUp } from '../environment/sign-up.ts';
import { measureAddMany } from './measure-add-many.ts';
import { measureDialog } from './measure-dialog.ts';
import { measureLighthouse } from './measure-lighthouse.ts';
import { measureLoad } from './measure-load.ts';
import { measureMemory } from './measure-memory.ts';
import { measureScroll } from './measure-scroll.ts';
import { parseWebOptions, type WebOptions } from './options.ts';
import { WEB_PAGES, type WebPage } from './web-pages.ts';
import {
  addManyTable,
  dialogTable,
  lighthouseTable,
  loadTable,
  memoryTable,
  scrollTable,
  type DialogResult,
  type PageResult,
  type PageScores,
} from './web-tables.ts';

type Build = { name: string; app: string };

const report = (line: string) => console.log(line);

async function measure(
  { data, ...servers }: Environment,
  browser: Browser,
  options: WebOptions,
): Promise<void> {
  const isSelected = (name: string) => name.includes(options.only);
  const builds: Build[] = servers.otherApp
    ? [
        { name: 'other', app: servers.otherApp },
        { name: 'this', app: servers.app },
      ]
    : [{ name: '', app: servers.app }];
  const open = (app: string, cookie: string | null) => openTab(browser, app, { cookie, cpu: options.cpu });

  const visit = async (
    { app, name }: Build,
    webPage: WebPage,
    { isProfiled = false, isFilmed = false } = {},
  ) => {
    const tab = await open(app, webPage.isPublic ? null : data.cookie);
    try {
      const load = await measureLoad(tab, webPage);
      if (!webPage.scrolled) return { load, scroll: null };
      const recordName = `${webPage.name} ${name}`.trim().replace(/\W+/g, '-');
      return {
        load,
        scroll: await measureScroll(tab, webPage.scrolled, {
          profile: isProfiled && options.profile ? join(options.profile, `${recordName}.cpuprofile`) : null,
          film: isFilmed && options.film ? join(options.film, recordName) : null,
        }),
      };
    } finally {
      await tab.context.close();
    }
  };

  const pages: PageResult[] = [];
  for (const webPage of WEB_PAGES.filter(({ name }) => isSelected(name))) {
    report(`Measuring: ${webPage.name}`);
    // The first visit creates the image variants.
    for (const build of builds) await visit(build, webPage, { isProfiled: true });
    const results = builds.map((build): PageResult & { target: Build } => ({
      page: webPage.name,
      isPublic: webPage.isPublic,
      build: build.name,
      target: build,
      loads: [],
      scrolls: [],
    }));
    for (let round = 0; round < options.rounds; round++) {
      for (const result of round % 2 === 0 ? results : results.toReversed()) {
        const { load, scroll } = await visit(result.target, webPage);
        result.loads.push(load);
        if (scroll) result.scrolls.push(scroll);
      }
    }
    if (options.film) for (const build of builds) await visit(build, webPage, { isFilmed: true });
    pages.push(...results.map(({ target: _, ...result }) => result));
  }

  const machine = `${cpus().length} cores, Node ${process.versions.node}, Chromium ${browser.version()}`;
  const slowed = options.cpu > 1 ? `, processor slowed down ${options.cpu} times` : '';
  const parts = [`${new Date().toISOString().slice(0, 10)}, ${machine}: ${options.rounds} rounds${slowed}.`];
  const raw: Record<string, unknown> = { machine, options, pages };
  if (pages.length > 0) parts.push(loadTable(pages));
  if (pages.some(({ scrolls }) => scrolls.length > 0)) parts.push(scrollTable(pages));

  if (isSelected('dialog')) {
    report('Measuring: dialog');
    const dialogs: DialogResult[] = [];
    for (const { name, app } of builds) {
      const tab = await open(app, data.cookie);
      dialogs.push({ build: name, scriptMs: await measureDialog(tab) });
      await tab.context.close();
    }
    raw['dialogs'] = dialogs;
    parts.push(dialogTable(dialogs));
  }
  if (isSelected('flipbook')) {
    report('Measuring: flipbook');
    const flipbook = await measureFlipbook({ app: servers.app, data });
    raw['flipbook'] = flipbook;
    parts.push(flipbookTable(flipbook));
  }
  if (options.lighthouse) {
    const scores: PageScores[] = [];
    for (const { name, path, isPublic } of WEB_PAGES.filter(({ name }) => isSelected(name))) {
      report(`Lighthouse: ${name}`);
      scores.push({
        page: name,
        ...(await measureLighthouse(`${servers.app}${path}`, isPublic ? null : data.cookie)),
      });
    }
    raw['lighthouse'] = scores;
    parts.push(lighthouseTable(scores));
  }
  if (options.memoryMinutes > 0) {
    report(`Measuring: memory after ${options.memoryMinutes} minutes`);
    const tab = await open(servers.app, data.cookie);
    const memory = await measureMemory(tab, options.memoryMinutes);
    await tab.context.close();
    raw['memory'] = memory;
    parts.push(memoryTable(memory));
  }
  if (options.photos > 0) {
    report(`Measuring: ${options.photos} photos added at once`);
    const tab = await open(servers.app, (await signUp(servers.app, 'folder')).cookie);
    const addMany = await measureAddMany(tab, options.photos);
    await tab.context.close();
    raw['addMany'] = addMany;
    parts.push(addManyTable(addMany));
  }
  const measured = parts.join('\n\n');
  report(measured);
  if (options.writeReadme) await writeReadme('web', measured);
  await mkdir(dirname(options.output), { recursive: true });
  await writeFile(options.output, JSON.stringify(raw, null, 2));
  report(`\nRaw figures: ${options.output}`);
}

const options = parseWebOptions(process.argv.slice(2));
const endRequested = shutdownSignal();
const environment = await startEnvironment({ profile: null, otherCheckout: options.against, report });
const browser = await launchBrowser();
try {
  const signal = await Promise.race([measure(environment, browser, options), endRequested]);
  process.exitCode = signal ? 1 : 0;
} finally {
  await browser.close();
  await environment.end();
}
process.exit();
