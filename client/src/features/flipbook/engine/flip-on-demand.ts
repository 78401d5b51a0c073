import { PageFlip, type Page, type Render } from 'page-flip/dist/js/page-flip.module.js';

/**
 * page-flip, drawing only when there is something to draw. By itself it asks for a frame for as long as the tab lives,
 * and writes the style of every page of the book in each.
 */
export class FlipOnDemand extends PageFlip {
  #render: Render | undefined;
  #frame = 0;

  // page-flip makes it when it loads the pages, and starts it at once.
  set render(render: Render) {
    this.#render = render;
    render.start = () => render.update();
    render.clear = clearOnlyWhatWasShown(render);
    const startAnimation = render.startAnimation.bind(render);
    render.startAnimation = (...animation) => {
      render.timer = performance.now();
      startAnimation(...animation);
      this.draw();
    };
  }

  get render(): Render {
    if (!this.#render) throw new Error('The book has no pages yet');
    return this.#render;
  }

  /** In the next frame, and on until what moves has come to rest. */
  draw(): void {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#moveOn(now);
      this.render.drawFrame();
      if (this.render.animation) this.draw();
    });
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** A page is lifted slowly and laid down slowly. */
  #moveOn(now: number): void {
    const { animation } = this.render;
    if (!animation) return;
    const { frames, startedAt, duration } = animation;
    const share = Math.max(0, (now - startedAt) / duration);
    if (share >= 1) this.render.finishAnimation();
    else frames[Math.round(eased(share) * (frames.length - 1))]?.();
  }
}

function eased(share: number): number {
  return (1 - Math.cos(Math.PI * share)) / 2;
}

function clearOnlyWhatWasShown(render: Render): () => void {
  let shown = new Set<Page>();
  return () => {
    const now = [render.leftPage, render.rightPage, render.flippingPage, render.bottomPage];
    const used = new Set(now.filter((page) => page !== null));
    for (const page of new Set([...shown, ...used])) {
      if (!used.has(page)) page.getElement().style.cssText = 'display: none';
      if (page.getTemporaryCopy() !== render.flippingPage) page.hideTemporaryCopy();
    }
    shown = used;
  };
}
