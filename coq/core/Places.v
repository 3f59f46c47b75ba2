(** * The places of numbered rows

    What [numbered] says of the rows that it makes: each is a row of the bag with a place, each row of the bag has one, no two
    have the same place in one partition, one that precedes another in the order has a smaller place, and some row has the place 1. *)
From Tallystick.core Require Export Summaries Extremum Nodes.

(** ** Orders *)
Definition first_of (descending nulls_first : bool) (v u : value) : bool :=
  if is_null v then nulls_first && negb (is_null u) else if is_null u then negb nulls_first else if descending then less u v else less v u.
Lemma first_not d n v : first_of d n v v = false.
Proof. unfold first_of. destruct (is_null v), n, d; cbn; auto using less_not. Qed.
Lemma null_is v : is_null v = true -> v = Null.
Proof. now destruct v. Qed.
Lemma first_trans d n u v x : first_of d n u v = true -> first_of d n v x = true -> first_of d n u x = true.
Proof.
  unfold first_of. destruct (is_null u), (is_null v), (is_null x), n, d; cbn; auto; try discriminate; intros A B; eauto using less_trans.
Qed.
Lemma first_total d n v u : first_of d n v u = false -> first_of d n u v = false -> v = u.
Proof.
  unfold first_of. destruct (is_null v) eqn:V, (is_null u) eqn:U, n, d; cbn; try discriminate; intros A B; auto using less_total;
    try (apply null_is in V; apply null_is in U; congruence); symmetry; now apply less_total.
Qed.
Lemma precedes_cons d n o v u r s : precedes ((d, n) :: o) (v :: r) (u :: s) = first_of d n v u || (same v u && precedes o r s).
Proof.
  cbn [precedes]. unfold same. destruct (value_eq_dec v u) as [->|N]; [now rewrite first_not|]. cbn [andb]. rewrite orb_false_r. unfold first_of.
  destruct (is_null v) eqn:V; auto. destruct (is_null u) eqn:U; cbn; [|now rewrite andb_true_r].
  destruct N. apply null_is in V. apply null_is in U. congruence.
Qed.
Lemma precedes_not o : forall r, precedes o r r = false.
Proof. induction o as [|[d n] o IH]; intros [|v r]; auto. rewrite precedes_cons, first_not, IH. now destruct (same v v). Qed.
Lemma precedes_asym o : forall r s, precedes o r s = true -> precedes o s r = false.
Proof.
  induction o as [|[d n] o IH]; intros [|v r] [|u s]; auto. rewrite !precedes_cons, orb_true_iff, andb_true_iff. unfold same. intros [A|[A B]].
  - destruct (first_of d n u v) eqn:F; [pose proof (first_trans _ _ _ _ _ A F) as X; now rewrite first_not in X|].
    destruct (value_eq_dec u v) as [->|]; auto. now rewrite first_not in A.
  - destruct (value_eq_dec v u) as [->|]; [|discriminate]. rewrite first_not, (IH _ _ B). now destruct (value_eq_dec u u).
Qed.
(** Of three rows of one width: what precedes the third does so, or is preceded by ... *)
Lemma precedes_between o : forall r s t, List.length r = List.length o -> List.length s = List.length o -> List.length t = List.length o ->
  precedes o r t = true -> precedes o r s = true \/ precedes o s t = true.
Proof.
  induction o as [|[d n] o IH]; intros [|v r] [|u s] [|x t] R S T; try discriminate. rewrite !precedes_cons, !orb_true_iff, !andb_true_iff. unfold same.
  intros H. destruct (first_of d n v u) eqn:A; [auto|]. destruct (first_of d n u x) eqn:B; [auto|].
  destruct (value_eq_dec v u) as [->|N].
  - destruct H as [H|[H1 H2]]; [congruence|]. destruct (value_eq_dec u x) as [->|]; [|discriminate]. cbn in R, S, T. destruct (IH r s t) as [X|X]; auto; lia.
  - destruct (first_of d n u v) eqn:C; [|now destruct N; apply (first_total d n)]. exfalso. destruct H as [H|[H1 H2]].
    + now rewrite (first_trans _ _ _ _ _ C H) in B.
    + destruct (value_eq_dec v x) as [->|]; [congruence|discriminate].
Qed.

(** ** Sorting *)
Section Sorted.
  Context {A : Type} (before : A -> A -> bool) (P : A -> Prop).
  Hypothesis asym : forall x y, before x y = true -> before y x = false.
  Hypothesis between : forall x y z, P x -> P y -> P z -> before x z = true -> before x y = true \/ before y z = true.
  Lemma in_insert x l y : In y (insert before x l) <-> y = x \/ In y l.
  Proof. induction l as [|z l IH]; cbn; [intuition|]. destruct (before z x); cbn; [rewrite IH|]; intuition. Qed.
  Lemma in_sorted l y : In y (sorted before l) <-> In y l.
  Proof. unfold sorted. induction l as [|x l IH]; cbn; [tauto|]. rewrite in_insert, IH. intuition. Qed.
  Lemma insert_sorted x l : P x -> Forall P l -> ForallOrdPairs (fun y z => before z y = false) l -> ForallOrdPairs (fun y z => before z y = false) (insert before x l).
  Proof.
    intros X F O. induction O as [|y l Y O IH]; cbn [insert]; [repeat constructor|]. inversion F as [|? ? PY F']; subst. destruct (before y x) eqn:B.
    - constructor; [|auto]. apply Forall_forall. intros z Z. apply in_insert in Z as [->|Z]; [now apply asym|exact (proj1 (Forall_forall _ _) Y z Z)].
    - constructor; [|constructor; auto]. constructor; [exact B|]. apply Forall_forall. intros z Z. apply not_true_is_false. intros T.
      rewrite Forall_forall in Y, F'. destruct (between z y x) as [Q|Q]; auto; [now rewrite (Y z Z) in Q|congruence].
  Qed.
  Lemma sorted_sorted l : Forall P l -> ForallOrdPairs (fun y z => before z y = false) (sorted before l).
  Proof.
    intros F. unfold sorted. induction F as [|x l X F IH]; cbn; [constructor|]. apply insert_sorted; auto.
    apply Forall_forall. intros y Y. apply (proj1 (in_sorted l y)) in Y. exact (proj1 (Forall_forall _ _) F y Y).
  Qed.
End Sorted.

(** ** Places: rows of a list, each with its place *)
Definition shown_at (own : row -> row) (p : row * nat) : row := own (fst p) ++ [number (Z.of_nat (snd p))].
Lemma placed_pairs (own part : row -> row) l : forall seen, exists ps, map fst ps = l /\ Core.placed own part seen l = map (shown_at own) ps /\
  ForallOrdPairs (fun p q => part (fst p) = part (fst q) -> (snd p < snd q)%nat) ps /\ Forall (fun p => (count_occ row_eq_dec seen (part (fst p)) < snd p)%nat) ps /\
  Forall (fun p => snd p = S (count_occ row_eq_dec seen (part (fst p))) \/ exists q, In q ps /\ part (fst q) = part (fst p) /\ snd p = S (snd q)) ps.
Proof.
  induction l as [|r l IH]; intros seen; cbn [Core.placed]; [exists []; repeat split; constructor|].
  destruct (IH (part r :: seen)) as (ps & L & E & O & F & G). exists ((r, S (count_occ row_eq_dec seen (part r))) :: ps). repeat split.
  - cbn. now rewrite L.
  - cbn [map]. rewrite E. reflexivity.
  - constructor; auto. eapply Forall_impl; [|exact F]. cbn [fst snd]. intros q Q X. rewrite <- X, count_occ_cons_eq in Q by reflexivity. lia.
  - constructor; [cbn; lia|]. eapply Forall_impl; [|exact F]. cbn [fst snd]. intros q Q. cbn [count_occ] in Q. destruct (row_eq_dec _ _); lia.
  - constructor; [now left|]. eapply Forall_impl; [|exact G]. cbn [fst snd]. intros q [Q|(p & P1 & P2 & P3)]; [|right; exists p; split; [now right|auto]].
    cbn [count_occ] in Q. destruct (row_eq_dec _ _) as [X|]; [|now left]. right. exists (r, S (count_occ row_eq_dec seen (part r))). cbn [fst snd]. rewrite X. split; [now left|auto].
Qed.

Section Numbered.
  (** Rows of [own] columns, those of a partition and those of an order. *)
  Variables (own parts : nat) (order : list (bool * bool)) (l : list row).
  Hypothesis W : forall r, In r l -> List.length r = own + parts + List.length order.
  Let own_of (r : row) := firstn own r.
  Let part_of (r : row) := firstn parts (skipn own r).
  Let keys_of (r : row) := skipn (own + parts) r.
  Lemma placed_ext own1 own2 part1 part2 k : (forall r, In r k -> own1 r = own2 r /\ part1 r = part2 r) -> forall seen, Core.placed own1 part1 seen k = Core.placed own2 part2 seen k.
  Proof. induction k as [|r k IH]; intros H seen; auto. cbn [Core.placed]. destruct (H r (or_introl eq_refl)) as [-> ->]. f_equal. apply IH. intros; apply H; now right. Qed.
  Theorem numbered_pairs : exists ps, numbered parts order l = map (shown_at own_of) ps /\ (forall r, In r l <-> exists p, In p ps /\ fst p = r) /\
    ForallOrdPairs (fun p q => part_of (fst p) = part_of (fst q) -> (snd p < snd q)%nat) ps /\
    (forall p, In p ps -> (0 < snd p)%nat) /\
    (forall p, In p ps -> snd p = 1%nat \/ exists q, In q ps /\ part_of (fst q) = part_of (fst p) /\ snd p = S (snd q)) /\
    (forall p q, In p ps -> In q ps -> part_of (fst p) = part_of (fst q) -> precedes order (keys_of (fst p)) (keys_of (fst q)) = true -> (snd p < snd q)%nat).
  Proof.
    unfold numbered. cbv zeta. set (before := fun r s : row => precedes order (skipn (List.length r - List.length order) r) (skipn (List.length s - List.length order) s)).
    assert (B : forall r s, before r s = precedes order (skipn (List.length r - List.length order) r) (skipn (List.length s - List.length order) s)) by reflexivity.
    assert (K : forall r, In r l -> skipn (List.length r - List.length order) r = keys_of r) by (intros r R; unfold keys_of; rewrite (W r R); f_equal; lia).
    assert (KL : forall r, In r l -> List.length (keys_of r) = List.length order) by (intros r R; unfold keys_of; rewrite skipn_length, (W r R); lia).
    assert (S' : ForallOrdPairs (fun y z => before z y = false) (sorted before l)).
    { apply (sorted_sorted before (fun r => In r l)).
      - intros x y. apply precedes_asym.
      - intros x y z X Y Z. rewrite !B, !K by auto. apply precedes_between; auto.
      - apply Forall_forall. auto. }
    assert (I : forall r, In r (sorted before l) <-> In r l) by apply in_sorted.
    rewrite (placed_ext _ own_of _ part_of).
    2: { intros r R. apply I in R. unfold own_of, part_of. rewrite firstn_length, (W r R). split; [f_equal; lia|]. do 2 f_equal. lia. }
    destruct (placed_pairs own_of part_of (sorted before l) []) as (ps & L & E & O & F & G). exists ps. rewrite Forall_forall in F, G. split; [exact E|].
    assert (FST : forall p, In p ps -> In (fst p) l) by (intros p P; apply I; rewrite <- L; now apply in_map).
    split; [|split; [exact O|split; [|split]]].
    - intros r. rewrite <- I, <- L, in_map_iff. split; intros (p & P & Q); exists p; auto.
    - intros p P. specialize (F p P). cbn in F. lia.
    - intros p P. exact (G p P).
    - intros p q P Q X Y. rewrite <- L in S'. assert (Z : ForallOrdPairs (fun p q => (part_of (fst p) = part_of (fst q) -> (snd p < snd q)%nat) /\ before (fst q) (fst p) = false) ps).
      { clear -S' O. induction O as [|p ps D O IH]; [constructor|]. cbn [map] in S'. inversion S' as [|? ? S1 S2]; subst. constructor; auto. rewrite Forall_map in S1.
        apply Forall_and; auto. }
      destruct (ForallOrdPairs_In Z p q P Q) as [->|[[D _]|[_ D]]]; [now rewrite precedes_not in Y|now apply D|]. rewrite B, !K in D by auto. congruence.
  Qed.
End Numbered.

(** ** Sources of numbered rows

    A row of a block has the columns of the bag's rows but those of the partition and of the order, and its place. These are known where
    they are among the others. *)
Definition heads_of (m : mono) : list term := terms_list (snd (snd (ends_of m))).
Definition head_at (c : nat) (m : mono) : term := nth c (heads_of m) (Apply (Lit Null) Tn).
Definition own_width (parts keys : nat) (b : bag) : option nat := match monos b with
  | m :: l => let n := List.length (heads_of m) in
      if Nat.leb (parts + keys) n && forallb (fun k => Nat.eqb (List.length (heads_of k)) n) (m :: l) then Some (n - (parts + keys)) else None
  | [] => None end.
Definition own_column (b : bag) (own k : nat) : option nat := find (fun c => forallb (fun m => eqt (head_at c m) (head_at k m)) (monos b)) (seq 0 own).
Fixpoint own_columns (b : bag) (own : nat) (ks : list nat) : option (list nat) := match ks with
  | [] => Some [] | k :: ks => match own_column b own k, own_columns b own ks with Some c, Some cs => Some (c :: cs) | _, _ => None end end.
(** The columns of a partition and the place: no two rows have the same ones. *)
Definition place_key (p : place) (b : bag) : option (list nat) := match p with
  | Places _ parts order => match own_width parts (List.length order) b with
      | Some own => match own_columns b own (seq own parts) with Some cs => Some (cs ++ [own]) | None => None end | None => None end
  | Opaque _ => None end.

Definition one_ : term := Apply (Lit (number 1)) Tn.
Definition cells_equal (i : nat) (ts : list term) : list term := map (fun p => ap2 IsSame (Cell i (fst p)) (snd p)) (combine (seq 0 (List.length ts)) ts).
Definition place_fact (i own : nat) : term := conj2 (ap1 Known (Cell i own)) (neg (lesser (Cell i own) one_)).
Definition first_fact (p : place) (b : bag) (own : nat) : term := disj2 (neg (Ex b)) (Ex (Bc (Take (Block p b) (Give (ap2 IsSame (Cell 0 own) one_) Tn)) Bn)).
Definition truth (b : bool) : term := Apply (Lit (Truth b)) Tn.
Definition first_term (descending nulls_first : bool) (a b : term) : term :=
  disj2 (conj2 (neg (ap1 Known a)) (conj2 (ap1 Known b) (truth nulls_first)))
        (conj2 (ap1 Known a) (disj2 (conj2 (neg (ap1 Known b)) (truth (negb nulls_first))) (if descending then lesser b a else lesser a b))).
Fixpoint precedes_term (o : list (bool * bool)) (cs : list nat) (i j : nat) : term := match o, cs with
  | (d, n) :: o, c :: cs => disj2 (first_term d n (Cell i c) (Cell j c)) (conj2 (ap2 IsSame (Cell i c) (Cell j c)) (precedes_term o cs i j))
  | _, _ => no end.
Definition before_fact (order : list (bool * bool)) (own : nat) (pcs ocs : list nat) (i j : nat) : term :=
  implies (conj2 (terms_all (equal_cells pcs pcs i j)) (precedes_term order ocs i j)) (lesser (Cell i own) (Cell j own)).

Section Blocks.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Hypothesis L : lawful w.
  Hypothesis BL : forall tag parts order l, blocks (Places tag parts order) l = numbered parts order (ties w tag l).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Notation choices := (choices w blocks named).
  Notation refuted := (refuted w blocks named base).
  Notation all_true := (all_true w blocks named).
  Lemma heads_value a m : mts a (snd (snd (ends_of m))) = map (mt a) (heads_of m).
  Proof. unfold heads_of. generalize (snd (snd (ends_of m))). intros h. induction h as [|t h IH] using terms_list_i; auto. change (mts a (Tc t h)) with (mt a t :: mts a h). cbn [terms_list map]. now rewrite IH. Qed.
  Lemma row_of_bag e b r : In r (mb e b) <-> exists m a, In m (monos b) /\ In a (choices e (fst (ends_of m))) /\ is_true (mt a (fst (snd (ends_of m)))) = true /\ r = map (mt a) (heads_of m).
  Proof.
    rewrite in_bag. split.
    - intros (m & M & R). apply in_mono in R as (a & A & T & ->). exists m, a. now rewrite heads_value.
    - intros (m & a & M & A & T & ->). exists m. split; auto. apply in_mono. exists a. now rewrite heads_value.
  Qed.
  Lemma own_width_ok e parts keys b own r : own_width parts keys b = Some own -> In r (mb e b) -> List.length r = own + parts + keys.
  Proof.
    unfold own_width. destruct (monos b) as [|m l] eqn:M; [discriminate|]. cbv zeta. destruct (Nat.leb _ _ && _) eqn:F; [|discriminate]. intros [= <-] R. apply andb_prop in F as [F1 F2].
    apply Nat.leb_le in F1. rewrite forallb_forall in F2. apply row_of_bag in R as (k & a & K & _ & _ & ->). rewrite M in K. apply F2, Nat.eqb_eq in K. rewrite map_length, K. lia.
  Qed.
  Lemma own_column_ok e b own k c r : own_column b own k = Some c -> In r (mb e b) -> c < own /\ nth c r Null = nth k r Null.
  Proof.
    unfold own_column. intros F R. apply find_some in F as [F1 F2]. apply in_seq in F1. split; [lia|]. rewrite forallb_forall in F2. apply row_of_bag in R as (m & a & M & _ & _ & ->).
    specialize (F2 m M). apply (proj1 equal_ok) in F2. unfold head_at in F2. change Null with (mt a (Apply (Lit Null) Tn)). now rewrite !map_nth, F2.
  Qed.
  Lemma own_columns_ok e b own r : In r (mb e b) -> forall ks cs, own_columns b own ks = Some cs -> Core.cells cs (firstn own r) = Core.cells ks r /\ Forall (fun c => c < own) cs.
  Proof.
    intros R. induction ks as [|k ks IH]; cbn [own_columns]; intros cs H; [now inversion H|]. destruct (own_column b own k) as [c|] eqn:C; [|discriminate].
    destruct (own_columns b own ks) as [cs'|]; [|discriminate]. inversion H; subst. destruct (own_column_ok e b own k c r C R) as [C1 C2]. destruct (IH cs' eq_refl) as [I1 I2]. split; [|now constructor].
    unfold Core.cells in *. cbn [map]. rewrite I1. f_equal. rewrite <- C2. rewrite <- (firstn_skipn own r) at 2. destruct (Nat.lt_ge_cases c (List.length (firstn own r))) as [X|X]; [now rewrite app_nth1|].
    rewrite firstn_length in X. rewrite !nth_overflow; auto; rewrite ?app_length, ?firstn_length, ?skipn_length; lia.
  Qed.
  Lemma cells_segment r : forall n k, k + n <= List.length r -> Core.cells (seq k n) r = firstn n (skipn k r).
  Proof.
    unfold Core.cells. induction n as [|n IH]; intros k H; auto. cbn [seq map]. rewrite IH by lia. clear IH. revert r H. induction k as [|k IH]; intros [|v r] H; try (exfalso; cbn [List.length] in H; lia); [reflexivity|].
    cbn [List.length] in H. assert (H' : k + S n <= List.length r) by lia. exact (IH r H').
  Qed.
  Lemma cells_shown cs own p v : Forall (fun c => c < own) cs -> List.length (firstn own p) = own -> Core.cells cs (firstn own p ++ v) = Core.cells cs (firstn own p).
  Proof. intros F E. unfold Core.cells. apply map_ext_in. intros c C. rewrite Forall_forall in F. specialize (F c C). rewrite app_nth1; auto. lia. Qed.
  Lemma place_shown own p : List.length (firstn own (fst p)) = own -> nth own (shown_at (firstn own) p) Null = number (Z.of_nat (snd p)).
  Proof. intros E. unfold shown_at. rewrite app_nth2 by exact (Nat.eq_le_incl _ _ E). replace (own - _) with 0; [reflexivity|]. symmetry. apply Nat.sub_0_le. apply Nat.eq_le_incl. symmetry. exact E. Qed.
  Lemma number_less a b : less (number (Z.of_nat a)) (number (Z.of_nat b)) = Nat.ltb a b.
  Proof.
    unfold number. change (less ?x ?y) with (lt_c (whole (Z.of_nat a)) (whole (Z.of_nat b))). apply eq_iff_eq_true. rewrite lt_c_ok, Nat.ltb_lt. unfold Qclt, whole.
    change (Qlt (Qred (inject_Z (Z.of_nat a))) (Qred (inject_Z (Z.of_nat b))) <-> a < b). rewrite !Qred_correct, <- Zlt_Qlt. lia.
  Qed.
  Lemma number_inj a b : number (Z.of_nat a) = number (Z.of_nat b) -> a = b.
  Proof. intros E. pose proof (number_less a b) as X. pose proof (number_less b a) as Y. rewrite E, less_not in X. rewrite <- E, less_not in Y. symmetry in X, Y. apply Nat.ltb_ge in X, Y. lia. Qed.

  Record layout (e : env) (tag : string) (parts : nat) (order : list (bool * bool)) (b : bag) (own : nat) (ps : list (row * nat)) : Prop := {
    rows_shown : ms e (Block (Places tag parts order) b) = map (shown_at (firstn own)) ps;
    rows_listed : forall r, In r (mb e b) <-> exists p, In p ps /\ fst p = r;
    rows_own : forall p, In p ps -> List.length (firstn own (fst p)) = own;
    places_differ : ForallOrdPairs (fun p q => Core.cells (seq own parts) (fst p) = Core.cells (seq own parts) (fst q) -> (snd p < snd q)%nat) ps;
    places_positive : forall p, In p ps -> (0 < snd p)%nat;
    places_before : forall p, In p ps -> snd p = 1%nat \/ exists q, In q ps /\ snd p = S (snd q);
    places_ordered : forall p q, In p ps -> In q ps -> Core.cells (seq own parts) (fst p) = Core.cells (seq own parts) (fst q) ->
      precedes order (Core.cells (seq (own + parts) (List.length order)) (fst p)) (Core.cells (seq (own + parts) (List.length order)) (fst q)) = true -> (snd p < snd q)%nat }.
  Lemma block_layout e tag parts order b own : own_width parts (List.length order) b = Some own -> exists ps, layout e tag parts order b own ps.
  Proof.
    intros O. set (l := ties w tag (mb e b)). assert (I : forall r, In r l <-> In r (mb e b)).
    { intros r. split; apply Permutation_in; [|symmetry]; apply (ties_rows w L). }
    assert (W : forall r, In r l -> List.length r = own + parts + List.length order) by (intros r R; apply I in R; exact (own_width_ok e parts _ b own r O R)).
    destruct (numbered_pairs own parts order l W) as (ps & E & M & D & P & F & B). exists ps.
    assert (R : forall p, In p ps -> In (fst p) l) by (intros p Q; apply M; eauto).
    assert (PART : forall p, In p ps -> Core.cells (seq own parts) (fst p) = firstn parts (skipn own (fst p))) by (intros p Q; apply cells_segment; rewrite (W _ (R p Q)); lia).
    assert (KEYS : forall p, In p ps -> Core.cells (seq (own + parts) (List.length order)) (fst p) = skipn (own + parts) (fst p)).
    { intros p Q. rewrite cells_segment by (rewrite (W _ (R p Q)); lia). apply firstn_all2. rewrite skipn_length, (W _ (R p Q)). lia. }
    constructor; auto.
    - change (ms e (Block (Places tag parts order) b)) with (blocks (Places tag parts order) (mb e b)). now rewrite BL.
    - intros r. now rewrite <- I.
    - intros p Q. rewrite firstn_length, (W _ (R p Q)). lia.
    - clear -D PART. induction D as [|p ps D O IH]; constructor; [|apply IH; intros; apply PART; now right]. apply Forall_forall. intros q Q X. rewrite !PART in X by (try (now left); now right).
      exact (proj1 (Forall_forall _ _) D q Q X).
    - intros p Q. destruct (F p Q) as [X|(q & Q1 & _ & Q3)]; eauto.
    - intros p q P' Q X Y. rewrite !PART in X by auto. rewrite !KEYS in Y by auto. eauto.
  Qed.

  (** Two rows with one place in a partition are one row, of weight 1. *)
  Lemma places_apart e p b cs : place_key p b = Some cs -> ForallOrdPairs (fun v u => Core.cells cs v <> Core.cells cs u) (ms e (Block p b)).
  Proof.
    unfold place_key. destruct p as [tag parts order|]; [|discriminate]. destruct (own_width _ _ b) as [own|] eqn:O; [|discriminate]. destruct (own_columns b own _) as [pcs|] eqn:P; [|discriminate].
    intros [= <-]. destruct (block_layout e tag parts order b own O) as (ps & Y). rewrite (rows_shown _ _ _ _ _ _ _ Y).
    pose proof (places_differ _ _ _ _ _ _ _ Y) as D.
    assert (C : forall p, In p ps -> Core.cells (pcs ++ [own]) (shown_at (firstn own) p) = Core.cells (seq own parts) (fst p) ++ [number (Z.of_nat (snd p))]).
    { intros p Q. assert (R : In (fst p) (mb e b)) by (apply (rows_listed _ _ _ _ _ _ _ Y); eauto). destruct (own_columns_ok e b own _ R _ _ P) as [C1 C2]. pose proof (rows_own _ _ _ _ _ _ _ Y p Q) as OW.
      unfold Core.cells at 1. rewrite map_app. cbn [map]. rewrite place_shown by exact OW. f_equal. rewrite <- C1. exact (cells_shown pcs own (fst p) _ C2 OW). }
    clear Y. induction D as [|p ps D D' IH]; cbn [map]; constructor; [|apply IH; intros; apply C; now right]. apply Forall_map, Forall_forall. intros q Q X.
    rewrite !C in X by (try (now left); now right). apply app_inj_tail in X as [X N]. apply number_inj in N. pose proof (proj1 (Forall_forall _ _) D q Q X). lia.
  Qed.

  Lemma cells_equal_ok a i ts rest : a i = map (mt a) ts ++ rest -> all_true a (cells_equal i ts).
  Proof.
    intros E. unfold cells_equal. apply Forall_map, Forall_forall. intros [c t] C. cbn [fst snd]. change (same (nth c (a i) Null) (mt a t) = true).
    assert (N : nth_error ts c = Some t).
    { clear -C. assert (G : forall k, In (c, t) (combine (seq k (List.length ts)) ts) -> k <= c /\ nth_error ts (c - k) = Some t).
      { clear C. induction ts as [|u ts IH]; intros k C; [destruct C|]. cbn [List.length seq combine] in C. destruct C as [C|C]; [inversion C; subst; now rewrite Nat.sub_diag|].
        apply IH in C as [C1 C2]. split; [lia|]. replace (c - k) with (S (c - S k)) by lia. exact C2. }
      apply G in C as [_ C]. now rewrite Nat.sub_0_r in C. }
    assert (X : nth c (a i) Null = mt a t).
    { rewrite E. apply nth_error_nth. rewrite nth_error_app1; [now apply map_nth_error|]. rewrite map_length. apply nth_error_Some. congruence. }
    unfold same. now destruct (value_eq_dec _ _).
  Qed.
  (** A place is a number from 1 on. *)
  Theorem counted_true rows e i tag parts order b own : In e (choices base rows) -> source_at rows i = Some (Block (Places tag parts order) b) -> own_width parts (List.length order) b = Some own ->
    is_true (mt e (place_fact i own)) = true.
  Proof.
    intros E I O. pose proof (present w blocks named base _ _ _ _ E I) as X. destruct (block_layout e tag parts order b own O) as (ps & Y). rewrite (rows_shown _ _ _ _ _ _ _ Y), in_map_iff in X.
    destruct X as (p & X & P). pose proof (places_positive _ _ _ _ _ _ _ Y p P) as POS.
    assert (V : nth own (e i) Null = number (Z.of_nat (snd p))) by (rewrite <- X; exact (place_shown own p (rows_own _ _ _ _ _ _ _ Y p P))).
    unfold place_fact. rewrite conj2_ok. change (is_true (mt e (ap1 Known (Cell i own)))) with (negb (is_null (nth own (e i) Null))). rewrite V. cbn [is_null negb andb number].
    change (negb (is_true (mt e (lesser (Cell i own) one_))) = true). rewrite lesser_ok. change (mt e (Cell i own)) with (nth own (e i) Null). change (mt e one_) with (number (Z.of_nat 1)).
    rewrite V, number_less. replace (Nat.ltb (snd p) 1) with false by (symmetry; apply Nat.ltb_ge; lia). now rewrite andb_false_r.
  Qed.
  (** A row of a block is made by some monomial of its bag. *)
  Theorem among_ok rows facts i tag parts order b own : source_at rows i = Some (Block (Places tag parts order) b) -> own_width parts (List.length order) b = Some own ->
    (forall m, In m (monos b) -> let n := List.length (fst (ends_of m)) in
      refuted (rows ++ fst (ends_of m)) (fst (snd (ends_of m)) :: cells_equal (n + i) (firstn own (heads_of m)) ++ extended n facts)) -> refuted rows facts.
  Proof.
    intros I O R e E F. pose proof (present w blocks named base _ _ _ _ E I) as X. destruct (block_layout e tag parts order b own O) as (ps & Y). rewrite (rows_shown _ _ _ _ _ _ _ Y) in X.
    apply in_map_iff in X as (p & X & P). assert (B : In (fst p) (mb e b)) by (apply (rows_listed _ _ _ _ _ _ _ Y); eauto). pose proof (rows_own _ _ _ _ _ _ _ Y p P) as OW.
    apply row_of_bag in B as (m & a & M & A & T & H). pose proof (choices_outer w blocks named _ _ _ A) as OUT.
    apply (R m M a (more_rows w blocks named base _ _ _ _ E A)). constructor; auto. apply Forall_app. split.
    - apply (cells_equal_ok a _ _ [number (Z.of_nat (snd p))]). rewrite OUT, <- X. unfold shown_at. rewrite H, <- firstn_map. reflexivity.
    - now apply (extended_ok w blocks named _ e).
  Qed.
  (** What a monomial makes of rows of the branch is a row of the block, in some place. *)
  Theorem listed_ok rows facts tag parts order b own m places x : In m (monos b) -> Nodes.placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    own_width parts (List.length order) b = Some own -> In (rt x (fst (snd (ends_of m)))) facts ->
    refuted (rows ++ [Block (Places tag parts order) b]) (cells_equal 0 (map (fun t => shift 1 (rt x t)) (firstn own (heads_of m))) ++ extended 1 facts) -> refuted rows facts.
  Proof.
    intros M P O I R e E F. destruct (Nodes.placed_ok w blocks named base rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    assert (B : In (map (mt a) (heads_of m)) (mb e b)).
    { apply row_of_bag. exists m, a. repeat split; auto. rewrite <- (rt_ok w blocks named _ a e x) by (intros; now rewrite H). exact (proj1 (Forall_forall _ _) F _ I). }
    destruct (block_layout e tag parts order b own O) as (ps & Y). pose proof (proj1 (rows_listed _ _ _ _ _ _ _ Y _) B) as (p & Q & BP). pose proof (rows_own _ _ _ _ _ _ _ Y p Q) as OW.
    set (r := shown_at (firstn own) p). assert (IN : In r (ms e (Block (Places tag parts order) b))) by (rewrite (rows_shown _ _ _ _ _ _ _ Y); now apply in_map).
    apply (R (push r e)); [apply (more_rows w blocks named base rows [_] e); auto; cbn [Normal.choices]; apply in_flat_map; exists r; split; [exact IN|now left]|].
    apply Forall_app. split.
    - apply (cells_equal_ok _ _ _ [number (Z.of_nat (snd p))]). cbn [push]. unfold r, shown_at. rewrite BP, firstn_map, map_map. f_equal. apply map_ext. intros t.
      rewrite (shift_ok w blocks named 1 _ e) by auto. symmetry. apply rt_ok. intros j. now rewrite H.
    - now apply (extended_ok w blocks named 1 e).
  Qed.
  (** Where there are rows, one is the first. *)
  Theorem first_true e tag parts order b own : own_width parts (List.length order) b = Some own -> is_true (mt e (first_fact (Places tag parts order) b own)) = true.
  Proof.
    intros O. unfold first_fact. rewrite disj2_ok. change (is_true (mt e (neg ?x))) with (negb (is_true (mt e x))). destruct (is_true (mt e (Ex b))) eqn:X; [|reflexivity]. cbn [negb orb].
    apply exists_ok in X as (r & X). destruct (block_layout e tag parts order b own O) as (ps & Y). pose proof (proj1 (rows_listed _ _ _ _ _ _ _ Y r) X) as (p & P & _).
    assert (G : forall n p, In p ps -> snd p = n -> exists q, In q ps /\ snd q = 1).
    { clear p P. induction n as [|n IH]; intros p' P N; [pose proof (places_positive _ _ _ _ _ _ _ Y p' P); lia|]. destruct (places_before _ _ _ _ _ _ _ Y p' P) as [Z|(q & Q & Z)]; [eauto|]. apply (IH q Q). lia. }
    destruct (G _ p P eq_refl) as (q & Q & Z). apply exists_ok. exists []. apply in_bag. eexists. split; [now left|]. apply in_mono. exists (push (shown_at (firstn own) q) e). cbn [ends_of fst snd]. repeat split.
    - cbn [Normal.choices]. apply in_flat_map. exists (shown_at (firstn own) q). split; [rewrite (rows_shown _ _ _ _ _ _ _ Y); now apply in_map|now left].
    - change (same (nth own (shown_at (firstn own) q) Null) (number 1) = true). assert (X1 : nth own (shown_at (firstn own) q) Null = number 1).
      { etransitivity; [exact (place_shown own q (rows_own _ _ _ _ _ _ _ Y q Q))|exact (f_equal (fun k => number (Z.of_nat k)) Z)]. }
      unfold same. now destruct (value_eq_dec _ _).
  Qed.
  Lemma first_term_ok e d n a b : is_true (mt e (first_term d n a b)) = first_of d n (mt e a) (mt e b).
  Proof.
    unfold first_term, first_of. rewrite !disj2_ok, !conj2_ok, !disj2_ok, !conj2_ok. change (is_true (mt e (neg ?x))) with (negb (is_true (mt e x))). change (is_true (mt e (ap1 Known ?x))) with (negb (is_null (mt e x))).
    change (is_true (mt e (truth ?x))) with x. destruct d; rewrite lesser_ok; destruct (is_null (mt e a)), (is_null (mt e b)), n; cbn; auto; try apply orb_false_r.
  Qed.
  Lemma precedes_term_ok e i j o : forall cs, is_true (mt e (precedes_term o cs i j)) = precedes o (Core.cells cs (e i)) (Core.cells cs (e j)).
  Proof.
    induction o as [|[d n] o IH]; intros [|c cs]; auto. cbn [precedes_term]. unfold Core.cells in *. cbn [map]. rewrite precedes_cons, disj2_ok, conj2_ok, first_term_ok, IH. reflexivity.
  Qed.
  (** A row that precedes another of its partition has a smaller place. *)
  Theorem before_true rows e i j tag parts order b own pcs ocs : In e (choices base rows) -> source_at rows i = Some (Block (Places tag parts order) b) -> source_at rows j = Some (Block (Places tag parts order) b) ->
    own_width parts (List.length order) b = Some own -> own_columns b own (seq own parts) = Some pcs -> own_columns b own (seq (own + parts) (List.length order)) = Some ocs ->
    is_true (mt e (before_fact order own pcs ocs i j)) = true.
  Proof.
    intros E I J O P K. unfold before_fact. apply implies_ok. rewrite conj2_ok, andb_true_iff, terms_all_ok, equal_cells_ok, precedes_term_ok by auto. intros [S' B].
    pose proof (present w blocks named base _ _ _ _ E I) as XI. pose proof (present w blocks named base _ _ _ _ E J) as XJ.
    destruct (block_layout e tag parts order b own O) as (ps & Y). rewrite (rows_shown _ _ _ _ _ _ _ Y), in_map_iff in XI, XJ. destruct XI as (p & XI & PI). destruct XJ as (q & XJ & QJ).
    pose proof (rows_own _ _ _ _ _ _ _ Y p PI) as WP. pose proof (rows_own _ _ _ _ _ _ _ Y q QJ) as WQ.
    assert (C : forall ks cs r, In r ps -> own_columns b own ks = Some cs -> Core.cells cs (shown_at (firstn own) r) = Core.cells ks (fst r)).
    { intros ks cs r R Q. assert (B' : In (fst r) (mb e b)) by (apply (rows_listed _ _ _ _ _ _ _ Y); eauto). destruct (own_columns_ok e b own _ B' _ _ Q) as [C1 C2]. rewrite <- C1.
      exact (cells_shown cs own (fst r) _ C2 (rows_own _ _ _ _ _ _ _ Y r R)). }
    rewrite <- XI, <- XJ in S', B. rewrite !(C _ _ _ PI P), !(C _ _ _ QJ P) in S'. rewrite !(C _ _ _ PI K), !(C _ _ _ QJ K) in B.
    pose proof (places_ordered _ _ _ _ _ _ _ Y p q PI QJ S' B) as LT. rewrite lesser_ok. change (mt e (Cell i own)) with (nth own (e i) Null). change (mt e (Cell j own)) with (nth own (e j) Null).
    rewrite <- XI, <- XJ. pose proof (place_shown own p WP) as NP. pose proof (place_shown own q WQ) as NQ. etransitivity.
    { apply (f_equal2 (fun u v => negb (is_null u) && negb (is_null v) && less u v)); [exact NP|exact NQ]. }
    cbn [is_null negb andb number]. etransitivity; [apply number_less|now apply Nat.ltb_lt].
  Qed.
End Blocks.
