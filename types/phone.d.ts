/* What phones keep, hold and send; docs/reference/phone-protocol.md says what each part means. */

/** What a form said; a list where a field was there several times. */
type Fields = Record<string, any>;

interface Fault {
  message: string;
  field?: string;
  clause?: string;
}

/** What waits on a phone until the server has it. */
interface Entry {
  format: "trick-entry";
  version: 1;
  key: string;
  kind: string;
  address: string;
  number?: number;
  base?: number;
  /** The hand as a match record writes it, the head of a record, or an action. */
  body?: any;
  made_by?: string;
  reason?: string;
  /** Whether a hand is entered although it is being played on the board. */
  instead_of_board?: boolean;
  phone: string;
  entered_at: string;
}

/** As it lies in the outbox: in which place, and what the server had against it. */
interface QueuedEntry extends Entry {
  order: number;
  state?: "refused" | "gone";
  faults?: Fault[];
}

/** An entry that the server has, and the version that its match came to by it. */
type SentEntry = Entry & { stored_as: number };

/** A match as the server told it, and what it has had since. */
interface HeldMatch {
  address: string;
  version: number;
  token: string;
  /** Whether this phone has the token only because of who is signed in. */
  by_account?: boolean;
  /** Whether only its director changes it. */
  closed?: boolean;
  record: any;
  /** What it takes to agree at the table of a competition; none at a friendly match. */
  table?: Record<string, unknown> | null;
  /** Which seat is this phone's own because it took one, and which ones are held on others. */
  seats?: { own: number | null, elsewhere: number[] } | null;
  /** In which time zone its hours are told, with the rules of it. */
  clocks?: { zone: string; rules: string } | null;
  /** How many entries each phone holds, as far as it said. */
  kept?: Record<string, number>;
  at?: number;
  since?: SentEntry[];
}

/** What a server of ours made of an entry. */
interface Answer {
  key: string;
  version?: number;
  message?: string;
  faults?: Fault[];
}

/** A page of the scorepad; `held` is the version of its match that a phone's own page stands on. */
interface PadPage {
  url: URL;
  text: string;
  held?: number;
  isGood?: boolean;
}

/** What the server on this phone answers. */
interface LocalAnswer {
  status: number;
  location: string;
  text: string;
  held: number;
}

/** What the server on this phone makes of an entry. */
interface Verdict {
  status: number;
  faults: Fault[];
  isBehind: boolean;
}
