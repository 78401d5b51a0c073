import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** What is written, in all three forms. */
export type EmailContent = { subject: string; html: string; text: string };

/** The one that old mail programs know. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** React adds one for each picture: https://github.com/facebook/react/issues/34217. What people write is escaped. */
const PRELOAD = /<link rel="preload"[^>]*>/g;

/** `text`: the paragraphs for whoever reads mail without pictures and colors; empty ones are left out. */
export function renderEmail(subject: string, element: ReactElement, text: (string | false)[]): EmailContent {
  return {
    subject,
    html: DOCTYPE + renderToStaticMarkup(element).replace(PRELOAD, ''),
    text: text.filter(Boolean).join('\n\n'),
  };
}
