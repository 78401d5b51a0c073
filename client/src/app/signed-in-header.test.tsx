import { expect, it } from 'vitest';
import { emptyState } from '../testing/fake-server/state/fake-state.ts';
import { renderMarkup } from '../testing/render-markup.tsx';
import { SignedInHeader } from './signed-in-header.tsx';

const linksFor = (isAdmin: boolean) => {
  const markup = renderMarkup(<SignedInHeader user={{ ...emptyState().user, isAdmin }} />);
  const nav = markup.slice(markup.indexOf('<nav'), markup.indexOf('</nav>'));
  return [...nav.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
};

it('an administrator has the link to the accounts beside the others', () => {
  const names = ['Home', 'My Pets', 'Gallery', 'Timeline', 'Contacts'];
  expect(linksFor(false)).toEqual(names);
  expect(linksFor(true)).toEqual([...names, 'People']);
});
