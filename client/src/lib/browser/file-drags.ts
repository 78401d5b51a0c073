import { useEffect, useEffectEvent, useState } from 'react';
import { isFileTransfer } from './transferred-files.ts';

/** @returns whether a drag brings files to the page. Browsers add a file to a drag of the page's own image, too. */
export function watchFileDrags(signal: AbortSignal): (event: DragEvent) => boolean {
  let isOwn = false;
  const options = { signal, capture: true };
  window.addEventListener('dragstart', () => (isOwn = true), options);
  // While dragging there are none, and an image that is removed then sends no dragend.
  for (const type of ['dragend', 'pointermove'])
    window.addEventListener(type, () => (isOwn = false), options);
  return ({ dataTransfer }) => !isOwn && isFileTransfer(dataTransfer);
}

/** Whether files are dragged over the page, and `canDrop` allows it. */
export function useFilesDragged(canDrop = () => true): boolean {
  const [isDragged, setDragged] = useState(false);
  const isDropAllowed = useEffectEvent(canDrop);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const isFileDrag = watchFileDrags(signal);
    const over = (event: DragEvent) => setDragged(isFileDrag(event) && isDropAllowed());
    const end = () => setDragged(false);
    // Without a related target the pointer left the window; otherwise it went on to the next element.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && end();
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', end, { signal, capture: true });
    return () => listeners.abort();
  }, []);
  return isDragged;
}
