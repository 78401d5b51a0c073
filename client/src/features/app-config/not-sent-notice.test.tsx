import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { emptyState } from '../../testing/fake-server/state/fake-state.ts';
import { NotSentNotice } from './not-sent-notice.tsx';

interface Setup {
  kind: 'email' | 'sms';
  hasKey?: boolean;
  emailEnabled?: boolean;
}

function render({ kind, hasKey = false, emailEnabled = false }: Setup): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['/api/config'], { ...emptyState().config, emailEnabled, outboxEnabled: hasKey });
  if (hasKey) queryClient.setQueryData(['/dev/outbox/access'], { hasKey });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <NotSentNotice kind={kind} />
    </QueryClientProvider>,
  );
}

it('says that nothing is sent without a mail server or a text message service', () => {
  expect(render({ kind: 'email' })).toContain('No mail server is set up, so no email is sent.');
  expect(render({ kind: 'sms' })).toContain('No text message service is set up, so no text is sent.');
});

it('says nothing with a mail server', () => {
  expect(render({ kind: 'email', emailEnabled: true })).toBe('');
});

it('leads to the outbox only in a browser with its key', () => {
  expect(render({ kind: 'email' })).not.toContain('href');
  expect(render({ kind: 'email', hasKey: true })).toContain('href="/dev/outbox"');
});
