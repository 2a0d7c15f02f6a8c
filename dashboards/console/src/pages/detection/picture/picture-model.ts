/** A point of a picture. */
export interface Mark {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** Value on the vertical axis, or the index of a lane. */
  readonly y: number;
  readonly shape: 'dot' | 'ring' | 'stem' | 'tick';
  /** Lines of the tooltip below the time. */
  readonly lines: readonly string[];
  /** What Enter and a click open. */
  readonly opens?: { readonly kind: 'event' | 'detection'; readonly id: string };
}

/** A period that is drawn hatched, with a label above the points. Seconds since 1970. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export interface LinearAxis {
  readonly kind: 'linear';
  readonly low: number;
  readonly high: number;
  /** Steps that the axis may use, ascending. */
  readonly steps: readonly number[];
  readonly label: (value: number) => string;
}
/** One row for each name. */
export interface LaneAxis {
  readonly kind: 'lanes';
  readonly names: readonly string[];
}

export interface LegendEntry {
  readonly symbol: Mark['shape'] | 'band' | 'reference' | 'none';
  readonly text: string;
}

/** How far an attack has come of what it needs at most. */
export interface Progress {
  readonly value: number;
  readonly max: number;
  readonly text: string;
}

/** What a picture of a detection shows, without its size and colours. */
export interface PictureModel {
  readonly title: string;
  readonly caption?: string;
  readonly axis: LinearAxis | LaneAxis;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
  /** Horizontal lines with a label. */
  readonly references: readonly { readonly y: number; readonly label: string }[];
  readonly legend: readonly LegendEntry[];
  readonly progress?: Progress;
  /** The vertical axis can cover the whole mapping. */
  readonly hasMapping?: boolean;
  /** The picture in a sentence, for screen readers. */
  readonly summary: string;
}
