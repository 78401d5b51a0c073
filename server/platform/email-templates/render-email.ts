import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export type EmailContent = { subject: string; html: string; text: string };

/** The doctype that old email clients support. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** React adds one per image: https://github.com/facebook/react/issues/34217. User text is escaped. */
const PRELOAD = /<link rel="preload"[^>]*>/g;

/** `text` has the paragraphs of the plain-text part; empty ones are omitted. */
export function renderEmail(subject: string, element: ReactElement, text: (string | false)[]): EmailContent {
  return {
    subject,
    html: DOCTYPE + renderToStaticMarkup(element).replace(PRELOAD, ''),
    text: text.filter(Boolean).join('\n\n'),
  };
}
