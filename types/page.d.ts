/* What our scripts find on a page beside what every browser has. */

/** A button that opens a panel, or an input that is filled by the keys of the tray. */
type Step = HTMLButtonElement | HTMLInputElement;

/** The pad of a form that is on the screen. */
interface Pad {
  form: HTMLFormElement;
  tray: HTMLElement;
  /** Ends with the page. */
  signal: AbortSignal;
  fingers: import("../scoring/js/entry/fingers.js").Fingers;
  /** The step that is open. */
  current: Step | null;
  /** Whether the first key replaces what the step holds. */
  isFresh: boolean;
  /** Whether the step before was full just now, so that this one was opened by itself. */
  hasMoved: boolean;
  /** Whether a finger was last: it moves on by itself, arrow keys do not. */
  isPointed: boolean;
}

interface Htmx {
  process(element: Element): void;
  trigger(element: Element, name: string): void;
}

/** What htmx tells with its events; each has some of it. */
interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  successful: boolean;
  xhr?: XMLHttpRequest;
  parameters: Record<string, unknown>;
  headers: Record<string, string>;
  formData: FormData;
  requestConfig: { path: string; formData: FormData };
}

interface PageEvents {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:configRequest": CustomEvent<HtmxDetail>;
  /** Another phone's, or the server's, page is on the screen. */
  "tricky:drawn": CustomEvent;
  /** What waits on this phone has changed. */
  "tricky:outbox": CustomEvent;
  /** The network is back. */
  "tricky:back": CustomEvent;
  /** This phone's own server answers. */
  "tricky:ready": CustomEvent;
  /** What a form says is kept on this phone. */
  "tricky:kept": Event;
  /** A hand was entered as far as it is known. */
  "tricky:begun": CustomEvent<HTMLFormElement>;
  /** A hand lacks what this step asks for. */
  "tricky:missing": CustomEvent<Step>;
}

interface DocumentEventMap extends PageEvents {}
interface HTMLElementEventMap extends PageEvents {}

interface Window {
  htmx: Htmx;
}
interface Navigator {
  connection?: { saveData?: boolean };
}

/** The keys of pieces, and where they write. */
interface PiecePad {
  form: HTMLFormElement;
  keys: HTMLElement;
  /** The input that was touched last. */
  target: HTMLInputElement;
  /** Whether the next card is a new trump. */
  isTurning: boolean;
  /** Whether a key was tapped since the last piece. */
  isChoosing: boolean;
}

/** A hand whose pieces are recorded. */
interface Recording {
  form: HTMLFormElement;
  recorded: HTMLInputElement;
  preview: HTMLElement | null;
  /** Complete tricks, as the preview told them last. */
  tricks: number;
  /** Runs while nobody taps. */
  rest?: ReturnType<typeof setTimeout>;
}
