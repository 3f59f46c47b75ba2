(** * Two queries that differ on a database *)
From Tallystick.core Require Export Summaries.

(** Rows in a total order, by which ties are broken. *)
Fixpoint row_less (r s : row) : bool := match r, s with
  | [], _ :: _ => true | v :: r, u :: s => less v u || (same v u && row_less r s) | _, [] => false end.
Lemma same_ok v u : same v u = true <-> v = u.
Proof. unfold same. destruct (value_eq_dec v u); split; intros; congruence. Qed.
Lemma row_less_not r : row_less r r = false.
Proof. induction r as [|v r IH]; auto. cbn. now rewrite less_not, IH, andb_false_r. Qed.
Lemma row_less_trans r : forall s t, row_less r s = true -> row_less s t = true -> row_less r t = true.
Proof.
  induction r as [|v r IH]; intros [|u s] [|x t]; cbn; try discriminate; auto. rewrite !orb_true_iff, !andb_true_iff, !same_ok.
  intros [A|[-> A]] [B|[-> B]]; [left; eapply less_trans; eauto|now left|now left|right; split; auto; now apply (IH s)].
Qed.
Lemma row_less_total r : forall s, row_less r s = false -> row_less s r = false -> r = s.
Proof.
  induction r as [|v r IH]; intros [|u s]; cbn; try discriminate; auto. rewrite !orb_false_iff. intros [A B] [A' B']. pose proof (less_total _ _ A A') as ->.
  assert (S' : same u u = true) by now apply same_ok. rewrite S' in B, B'. cbn in B, B'. f_equal. now apply IH.
Qed.
Lemma insert_swap x y l : insert row_less x (insert row_less y l) = insert row_less y (insert row_less x l).
Proof.
  assert (T : forall a b c, row_less a b = true -> row_less b c = false -> row_less a c = false -> row_less c b = true).
  { intros a b c A B D. destruct (row_less c b) eqn:E; auto. pose proof (row_less_total _ _ B E). congruence. }
  induction l as [|z l IH]; cbn [insert].
  - destruct (row_less y x) eqn:A, (row_less x y) eqn:B; auto; [pose proof (row_less_trans _ _ _ A B) as X; now rewrite row_less_not in X|now rewrite (row_less_total _ _ A B)].
  - destruct (row_less z y) eqn:ZY, (row_less z x) eqn:ZX; cbn [insert]; rewrite ?ZY, ?ZX; auto.
    + now rewrite IH.
    + destruct (row_less y x) eqn:YX; cbn [insert]; rewrite ?ZY, ?ZX; [pose proof (row_less_trans _ _ _ ZY YX); congruence|].
      destruct (row_less x y) eqn:XY; [|pose proof (row_less_total _ _ XY YX); subst; congruence]. reflexivity.
    + destruct (row_less x y) eqn:XY; cbn [insert]; rewrite ?ZY, ?ZX; [pose proof (row_less_trans _ _ _ ZX XY); congruence|].
      destruct (row_less y x) eqn:YX; [|pose proof (row_less_total _ _ XY YX); subst; congruence]. reflexivity.
    + destruct (row_less y x) eqn:YX, (row_less x y) eqn:XY; cbn [insert]; rewrite ?ZY, ?ZX, ?YX, ?XY; auto;
        [pose proof (row_less_trans _ _ _ YX XY) as X; now rewrite row_less_not in X|now rewrite (row_less_total _ _ XY YX)].
Qed.
Lemma insert_permutation {A} (f : A -> A -> bool) x l : Permutation (insert f x l) (x :: l).
Proof. induction l as [|y l IH]; cbn [insert]; auto. destruct (f y x); auto. etransitivity; [constructor; exact IH|apply perm_swap]. Qed.
Lemma sorted_permutation {A} (f : A -> A -> bool) l : Permutation (sorted f l) l.
Proof. unfold sorted. induction l as [|x l IH]; cbn [fold_right]; auto. etransitivity; [apply insert_permutation|]. now constructor. Qed.

Definition world_of (ts : list (string * list row)) : world := {|
  tables := fun t => match find (fun p => String.eqb (fst p) t) ts with Some p => snd p | None => [] end;
  functions := fun _ _ => Null; of_bags := fun _ _ => Null; ties := fun _ l => sorted row_less l |}.
Lemma world_lawful ts : lawful (world_of ts).
Proof.
  split; cbn; auto.
  - intros _ l. apply sorted_permutation.
  - intros _ l k. unfold sorted. apply folded_same. apply insert_swap.
Qed.
Definition admits_b (c : column) (v : value) : bool := if is_null v then nullable c else of_kind (type c) v.
Fixpoint admits_row (cs : list column) (r : row) : bool := match cs, r with [], [] => true | c :: cs, v :: r => admits_b c v && admits_row cs r | _, _ => false end.
Definition conforms_b (s : schema) (w : world) : bool := forallb (fun p => forallb (admits_row (snd p)) (tables w (fst p))) s.
Fixpoint pairs_b {A} (f : A -> A -> bool) (l : list A) : bool := match l with [] => true | x :: l => forallb (f x) l && pairs_b f l end.
Definition some_null (r : row) : bool := existsb is_null r.
Definition satisfies_b (w : world) (c : constraint) : bool := match c with
  | Key t cs => pairs_b (fun r s => some_null (cells cs r) || negb (same_row (cells cs r) (cells cs s))) (tables w t)
  | ForeignKey t cs u ks => forallb (fun r => some_null (cells cs r) || existsb (fun s => same_row (cells ks s) (cells cs r)) (tables w u)) (tables w t)
  | Check t e => forallb (fun r => negb (same (value_of w [r] e) (Truth false))) (tables w t) end.
Definition admitted_b (s : schema) (cs : list constraint) (w : world) : bool := conforms_b s w && forallb (satisfies_b w) cs.
Lemma admits_row_ok cs : forall r, admits_row cs r = true -> Forall2 admits cs r.
Proof.
  induction cs as [|c cs IH]; intros [|v r]; cbn; try discriminate; constructor; apply andb_prop in H as [A B]; auto. unfold admits_b in A. unfold admits. destruct v; cbn in *; auto.
Qed.
Lemma some_null_ok r : some_null r = true -> In Null r.
Proof. unfold some_null. intros H. apply existsb_exists in H as (v & V & N). destruct v; try discriminate. exact V. Qed.
Lemma same_row_ok r s : same_row r s = true <-> r = s.
Proof. unfold same_row. destruct (row_eq_dec r s); split; intros; congruence. Qed.
Lemma satisfies_b_ok w c : satisfies_b w c = true -> satisfies w c.
Proof.
  destruct c as [t cs|t cs u ks|t e]; cbn [satisfies satisfies_b].
  - induction (tables w t) as [|r l IH]; cbn [pairs_b]; [constructor|]. rewrite andb_true_iff. intros [A B]. constructor; auto. apply Forall_forall. intros s S. rewrite forallb_forall in A. specialize (A s S).
    apply orb_prop in A as [A|A]; [left; now apply some_null_ok|right]. apply negb_true_iff in A. intros E. now apply same_row_ok in E; rewrite E in A.
  - rewrite forallb_forall. intros H r R. specialize (H r R). apply orb_prop in H as [H|H]; [left; now apply some_null_ok|right]. apply existsb_exists in H as (s & S & E). apply same_row_ok in E. eauto.
  - rewrite forallb_forall. intros H r R E. specialize (H r R). rewrite E in H. now destruct (same (Truth false) (Truth false)) eqn:X; [|rewrite (proj2 (same_ok _ _) eq_refl) in X].
Qed.
Lemma admitted_ok s cs ts : admitted_b s cs (world_of ts) = true -> admitted s cs (world_of ts).
Proof.
  unfold admitted_b. rewrite andb_true_iff. intros [C S]. split; [apply world_lawful|split].
  - intros t cols r' T R. unfold conforms_b in C. rewrite forallb_forall in C. specialize (C _ T). rewrite forallb_forall in C. apply admits_row_ok. exact (C _ R).
  - apply Forall_forall. intros c K. rewrite forallb_forall in S. apply satisfies_b_ok. now apply S.
Qed.

(** A row that one query returns more often than the other. *)
Definition check_differ (s : schema) (cs : list constraint) (p q : query) (ts : list (string * list row)) : bool :=
  let w := world_of ts in admitted_b s cs w &&
  let a := answer w [] p in let b := answer w [] q in existsb (fun r => negb (Nat.eqb (count_occ row_eq_dec a r) (count_occ row_eq_dec b r))) (a ++ b).
Theorem differ_sound s cs p q ts : check_differ s cs p q ts = true -> different_answers s cs p q.
Proof.
  unfold check_differ. rewrite andb_true_iff, existsb_exists. intros [A (r & _ & O)]. exists (world_of ts). split; [now apply admitted_ok|].
  intros P. apply negb_true_iff, Nat.eqb_neq in O. apply O. now apply (Permutation_count_occ row_eq_dec).
Qed.

(** Two rows that one statement shows, one after the other, and the other never does in this order. *)
Definition may_follow (w : world) (s : statement) (x y : row) : bool := let a := answer w [] (body s) in
  existsb (fun r => same_row (firstn (shown s) r) x && existsb (fun r' => same_row (firstn (shown s) r') y && negb (before (order s) r' r)) a) a.
Definition shows_alone (w : world) (p q : statement) : bool := let k := sorted (before (order p)) (answer w [] (body p)) in
  pairs_b (fun r r' => negb (before (order p) r' r)) k && negb (pairs_b (may_follow w q) (map (firstn (shown p)) k)).
Definition check_order (s : schema) (cs : list constraint) (p q : statement) (ts : list (string * list row)) : bool :=
  let w := world_of ts in admitted_b s cs w && (shows_alone w p q || shows_alone w q p).
Lemma pairs_ok {A} (f : A -> A -> bool) l : pairs_b f l = true <-> ForallOrdPairs (fun x y => f x y = true) l.
Proof.
  induction l as [|x l IH]; cbn [pairs_b]; [split; [constructor|auto]|]. rewrite andb_true_iff, IH, forallb_forall, <- Forall_forall.
  split; [intros [F O]; now constructor|intros O; now inversion O].
Qed.
Lemma follows w s l : result w s l -> pairs_b (may_follow w s) l = true.
Proof.
  intros (k & P & O & ->). apply pairs_ok. assert (I : forall r, In r k -> In r (answer w [] (body s))) by (intros r; now apply Permutation_in). clear P.
  induction O as [|r k F O IH]; cbn [map]; constructor; [|apply IH; intros; apply I; now right].
  apply Forall_forall. intros y Y. apply in_map_iff in Y as (r' & <- & R'). rewrite Forall_forall in F. unfold may_follow.
  apply existsb_exists. exists r. split; [apply I; now left|]. apply andb_true_iff. split; [now apply same_row_ok|].
  apply existsb_exists. exists r'. split; [apply I; now right|]. apply andb_true_iff. split; [now apply same_row_ok|]. now rewrite (F r' R').
Qed.
Lemma shows_alone_ok w p q : shows_alone w p q = true -> exists l, result w p l /\ ~ result w q l.
Proof.
  unfold shows_alone. cbv zeta. set (k := sorted _ _). rewrite andb_true_iff. intros [O N]. exists (map (firstn (shown p)) k). split.
  - exists k. split; [apply sorted_permutation|split; auto]. apply pairs_ok in O. clear N. induction O as [|r l F O IH]; constructor; auto.
    apply Forall_forall. intros r' R'. rewrite Forall_forall in F. now apply negb_true_iff, F.
  - intros R. apply follows in R. now rewrite R in N.
Qed.
Theorem order_sound s cs p q ts : check_order s cs p q ts = true -> different_results s cs p q.
Proof.
  unfold check_order. rewrite andb_true_iff, orb_true_iff. intros [A D]. exists (world_of ts). split; [now apply admitted_ok|].
  intros H. destruct D as [D|D]; apply shows_alone_ok in D as (l & R & N); apply N, H, R.
Qed.
