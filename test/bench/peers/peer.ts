/** Something said, with whoever said it. */
export type Said = { id: string; user_id: string; run_id: string; name: string; text: string };

/** A store that things are put into and looked up in, one user each conversation. */
export type Peer = {
  name: string;
  /** Stores one thing; answers the ids under which searches find it. */
  add(said: Said): Promise<string[]>;
  /** After the last add, where more is to be done before the first search. */
  ready?(): Promise<void>;
  /** Ids of what answers the question, best first. */
  search(question: string, user_id: string, top_k: number): Promise<string[]>;
  close(): Promise<void>;
};
