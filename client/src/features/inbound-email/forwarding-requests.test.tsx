import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ForwardingRequest } from '#shared/transfers/inbound-email';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { ForwardingRequests } from './forwarding-requests.tsx';

const request: ForwardingRequest = {
  id: '01980000-0000-7000-8000-000000000001',
  subject: '(#123456789) Gmail Forwarding Confirmation',
  code: '123456789',
  text: 'To allow it, open\nhttps://mail-settings.google.com/vf-x',
  createdAt: '2026-05-01T12:00:00.000Z',
};

function markupOf(requests: ForwardingRequest[]): string {
  const queryClient = createQueryClient(() => {});
  queryClient.setQueryData(['/api/user/forwarding-requests'], requests);
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ForwardingRequests />
    </QueryClientProvider>,
  );
}

describe('requests of Gmail to forward email', () => {
  it('are shown with their code and their text, without links', () => {
    const markup = markupOf([request, { ...request, id: '2', code: null }]);
    expect(markup.match(/Confirmation code .{0,120}>123456789</g)).toHaveLength(1);
    expect(markup.match(/https:\/\/mail-settings\.google\.com\/vf-x/g)).toHaveLength(2);
    expect(markup).not.toContain('<a ');
  });

  it('are not mentioned while there are none', () => {
    expect(markupOf([])).toBe('');
  });
});
