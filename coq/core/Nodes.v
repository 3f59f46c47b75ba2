(** * Nodes of refutation trees with rows: Open, Use, Key, Foreign, Check, Member, Name

    A branch has rows that are present and facts; it is refuted where the facts cannot all hold.  The only instances are renamings:
    slots are put on rows of the branch.  What the kernel does by putting a term for a ★ is [Name]: a row of a support that holds it. *)
From Tallystick.core Require Export Reorder.

Section Nodes.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Variable constraints : list constraint.
  Hypothesis hold : Forall (satisfies w) constraints.
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).
  Definition refuted (rows : list source) (facts : list term) : Prop :=
    forall e, In e (choices base rows) -> Forall (fun f => is_true (mt e f) = true) facts -> False.
  Definition all_true (e : env) (l : list term) := Forall (fun f => is_true (mt e f) = true) l.

  Lemma refuted_valid rows f : refuted rows [neg f] -> valid (rows, f).
  Proof. intros R e E. destruct (is_true (mt e f)) eqn:T; auto. exfalso. apply (R e E). constructor; auto. change (negb (is_true (mt e f)) = true). now rewrite T. Qed.
  Lemma case rows facts f : refuted rows (f :: facts) -> refuted rows (neg f :: facts) -> refuted rows facts.
  Proof.
    intros A B e E F. destruct (is_true (mt e f)) eqn:T; [apply (A e E)|apply (B e E)]; constructor; auto.
    change (negb (is_true (mt e f)) = true). now rewrite T.
  Qed.
  (** A formula that is proved, under facts, may be used where these hold; Lemma is this. *)
  Lemma known rows facts f : valid (rows, implies (Apply And (fold_right Tc Tn facts)) f) -> refuted rows (f :: facts) -> refuted rows facts.
  Proof.
    intros V A e E F. apply (A e E). constructor; auto. apply (proj1 (implies_ok w blocks named e _ _) (V e E)).
    change (forallb is_true (mts e (fold_right Tc Tn facts)) = true). clear -F. induction F; auto. cbn [fold_right]. change (is_true (mt e x) && forallb is_true (mts e (fold_right Tc Tn l)) = true). now rewrite H, IHF.
  Qed.

  (** ** Rows of a branch *)
  Fixpoint ends_of (m : mono) : list source * (term * terms) := match m with
    | Take s m => let '(ss, p) := ends_of m in (s :: ss, p) | Give c h => ([], (c, h)) end.
  Lemma ends_ok m : m = takes (fst (ends_of m)) (Give (fst (snd (ends_of m))) (snd (snd (ends_of m)))).
  Proof. induction m as [s m IH|c h] using telescope_i; auto. cbn [ends_of]. destruct (ends_of m) as [ss p]. cbn in *. now f_equal. Qed.
  Definition extended (n : nat) (facts : list term) : list term := map (shift n) facts.
  Lemma extended_ok n e a facts : (forall i, a (n + i)%nat = e i) -> all_true e facts -> all_true a (extended n facts).
  Proof. intros H F. unfold all_true, extended. rewrite Forall_map. eapply Forall_impl; [|exact F]. cbn. intros t T. now rewrite (shift_ok w blocks named n t e a H). Qed.
  Lemma more_rows rows ss e a : In e (choices base rows) -> In a (choices e ss) -> In a (choices base (rows ++ ss)).
  Proof. intros. rewrite choices_app, in_flat_map. eauto. Qed.
  (** The source of row [i], counted from the innermost, over all rows. *)
  Definition source_at (rows : list source) (i : nat) : option source := option_map (rs (Nat.add (S i))) (nth_error (rev rows) i).
  Lemma present rows : forall e i s, In e (choices base rows) -> source_at rows i = Some s -> In (e i) (ms e s).
  Proof.
    induction rows as [|s rows IH] using rev_ind; intros e i u E S; [destruct i; discriminate|]. unfold source_at in S. rewrite rev_unit in S.
    rewrite choices_app in E. apply in_flat_map in E as (e' & E' & E). cbn in E. apply in_flat_map in E as (r & R & [<-|[]]).
    destruct i as [|i]; cbn in S.
    - inversion S; subst. change (In r (ms (push r e') (rs (Nat.add 1) s))). now rewrite (rs_ok w blocks named s e' (push r e') (Nat.add 1)).
    - specialize (IH e' i). unfold source_at in IH. destruct (nth_error (rev rows) i) as [v|]; [|discriminate]. cbn in S. inversion S; subst. clear S.
      specialize (IH _ E' eq_refl). change (In (e' i) (ms (push r e') (rs (Nat.add (S (S i))) v))).
      rewrite (rs_ok w blocks named v (fun j => e' (S i + j)%nat) e' (Nat.add (S i)) (fun _ => eq_refl)) in IH.
      now rewrite (rs_ok w blocks named v (fun j => e' (S i + j)%nat) (push r e') (Nat.add (S (S i))) (fun _ => eq_refl)).
  Qed.

  (** ** Open: a bag that has an element has one of some monomial. *)
  Fixpoint monos (b : bag) : list mono := match b with Bn => [] | Bc m b => m :: monos b end.
  Lemma in_bag b e r : In r (mb e b) <-> exists m, In m (monos b) /\ In r (mm e m).
  Proof.
    induction b as [|m b IH] using bag_list_i; [cbn; split; [tauto|intros (m & [] & _)]|]. change (mb e (Bc m b)) with (mm e m ++ mb e b). rewrite in_app_iff, IH. cbn [monos In]. split.
    - intros [H|(n & N & H)]; eauto.
    - intros (n & [<-|N] & H); eauto.
  Qed.
  Lemma in_mono m e r : In r (mm e m) <-> exists a, In a (choices e (fst (ends_of m))) /\ is_true (mt a (fst (snd (ends_of m)))) = true /\ r = mts a (snd (snd (ends_of m))).
  Proof.
    rewrite (ends_ok m) at 1. rewrite mm_takes, in_flat_map. split; intros (a & A & H).
    - change (mm a (Give ?c ?h)) with (if is_true (mt a c) then [mts a h] else []) in H. destruct (is_true _) eqn:T; [|destruct H]. destruct H as [<-|[]]. eauto.
    - destruct H as [T ->]. exists a. split; auto. change (mm a (Give ?c ?h)) with (if is_true (mt a c) then [mts a h] else []). rewrite T. now left.
  Qed.
  Lemma exists_ok e b : is_true (mt e (Ex b)) = true <-> exists r, In r (mb e b).
  Proof. change (mt e (Ex b)) with (Truth match mb e b with [] => false | _ => true end). destruct (mb e b) as [|r l]; cbn; split; eauto; [discriminate|intros [r []]]. Qed.
  Theorem open_ok rows facts b : In (Ex b) facts ->
    (forall m, In m (monos b) -> refuted (rows ++ fst (ends_of m)) (fst (snd (ends_of m)) :: extended (List.length (fst (ends_of m))) facts)) -> refuted rows facts.
  Proof.
    intros I R e E F. assert (X := proj1 (Forall_forall _ _) F _ I). apply exists_ok in X as (r & X). apply in_bag in X as (m & M & X). apply in_mono in X as (a & A & T & _).
    apply (R m M a (more_rows _ _ _ _ E A)). constructor; auto. eapply extended_ok; [|exact F]. intros i. exact (choices_outer w blocks named _ _ _ A i).
  Qed.

  (** ** Use: no monomial of an empty bag holds of any rows: slots are put on rows of equal source. *)
  Definition put (i : nat) (x : nat -> nat) : nat -> nat := fun j => match j with O => i | S j => x j end.
  Fixpoint placed (rows : list source) (x : nat -> nat) (ss : list source) (places : list nat) : option (nat -> nat) := match ss, places with
    | [], [] => Some x
    | s :: ss, i :: places => match source_at rows i with Some t => if eqs (rs x s) t then placed rows (put i x) ss places else None | None => None end
    | _, _ => None end.
  Lemma placed_ok rows e ss : In e (choices base rows) -> forall places a x y, (forall j, a j = e (x j)) -> placed rows x ss places = Some y ->
    exists b, In b (choices a ss) /\ (forall j, b j = e (y j)).
  Proof.
    intros E. induction ss as [|s ss IH]; intros [|i places] a x y H P; cbn in P; try discriminate; [inversion P; subst; exists a; cbn; auto|].
    destruct (source_at rows i) as [t|] eqn:S; [|discriminate]. destruct (eqs (rs x s) t) eqn:Q; [|discriminate]. apply eqs_ok in Q. subst t.
    pose proof (present rows e i _ E S) as R. rewrite (rs_ok w blocks named s a e x) in R by (intros; now rewrite H).
    destruct (IH places (push (e i) a) (put i x) y) as (b & B & C); auto; [intros [|j]; cbn; auto|]. exists b. split; auto. cbn [Normal.choices]. apply in_flat_map. eauto.
  Qed.
  Theorem use_ok rows facts b m places x : In (neg (Ex b)) facts -> In m (monos b) -> placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    refuted rows (neg (rt x (fst (snd (ends_of m)))) :: facts) -> refuted rows facts.
  Proof.
    intros I M P R e E F. apply (R e E). constructor; auto. destruct (placed_ok rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    change (negb (is_true (mt e (rt x (fst (snd (ends_of m)))))) = true). rewrite (rt_ok w blocks named _ a e x) by (intros; now rewrite H).
    destruct (is_true (mt a (fst (snd (ends_of m))))) eqn:T; auto. exfalso. assert (X := proj1 (Forall_forall _ _) F _ I). cbn beta in X.
    change (negb (is_true (mt e (Ex b))) = true) in X. replace (is_true (mt e (Ex b))) with true in X; [discriminate|]. symmetry. apply exists_ok.
    exists (mts a (snd (snd (ends_of m)))). apply in_bag. exists m. split; auto. apply in_mono. eauto.
  Qed.

  (** ** Key, Foreign, Check *)
  Fixpoint terms_all (l : list term) : term := match l with [] => yes | t :: l => conj2 t (terms_all l) end.
  Lemma terms_all_ok e l : is_true (mt e (terms_all l)) = true <-> all_true e l.
  Proof. induction l as [|t l IH]; cbn [terms_all]; [split; [constructor|reflexivity]|]. rewrite conj2_ok, andb_true_iff, IH. split; [intros []; now constructor|intros H; now inversion H]. Qed.
  Definition equal_cells (cs ks : list nat) (i j : nat) : list term := map (fun p => ap2 IsSame (Cell i (fst p)) (Cell j (snd p))) (combine cs ks).
  Definition known_cells (cs : list nat) (i : nat) : list term := map (fun c => ap1 Known (Cell i c)) cs.
  Lemma equal_cells_ok e i j : forall cs ks, List.length cs = List.length ks -> (all_true e (equal_cells cs ks i j) <-> cells cs (e i) = cells ks (e j)).
  Proof.
    unfold equal_cells, cells, all_true. induction cs as [|c cs IH]; intros [|k ks] L; cbn in L; try discriminate; cbn [combine map]; [split; auto|]. injection L as L. rewrite Forall_cons_iff, (IH ks L). cbn [fst snd].
    change (mt e (ap2 IsSame (Cell i c) (Cell j k))) with (Truth (same (nth c (e i) Null) (nth k (e j) Null))). unfold same. cbn [is_true].
    destruct (value_eq_dec (nth c (e i) Null) (nth k (e j) Null)) as [X|X].
    - split; [intros [_ H]; now f_equal|intros H; injection H; auto].
    - split; [intros [H _]; discriminate|intros H; injection H; intros; contradiction].
  Qed.
  Lemma known_cells_ok e i cs : all_true e (known_cells cs i) <-> ~ In Null (cells cs (e i)).
  Proof.
    unfold known_cells, cells, all_true. induction cs as [|c cs IH]; cbn [map In]; [intuition|]. rewrite Forall_cons_iff, IH.
    change (is_true (mt e (ap1 Known (Cell i c)))) with (negb (is_null (nth c (e i) Null))). destruct (nth c (e i) Null); cbn; intuition congruence.
  Qed.
  Theorem key_ok rows facts t cs i j : In (Key t cs) constraints -> source_at rows i = Some (Table t) -> source_at rows j = Some (Table t) ->
    refuted rows (implies (conj2 (terms_all (equal_cells cs cs i j)) (terms_all (known_cells cs i))) (Alike i j) :: facts) -> refuted rows facts.
  Proof.
    intros K I J R e E F. apply (R e E). constructor; auto. apply implies_ok. rewrite conj2_ok, andb_true_iff, !terms_all_ok, equal_cells_ok, known_cells_ok by auto. intros [Q N].
    change (same_row (e i) (e j) = true). unfold same_row. destruct (row_eq_dec (e i) (e j)) as [|D]; auto. exfalso.
    pose proof (present _ _ _ _ E I) as XI. pose proof (present _ _ _ _ E J) as XJ. change (In (e i) (tables w t)) in XI. change (In (e j) (tables w t)) in XJ.
    assert (S := proj1 (Forall_forall _ _) hold _ K). cbn [satisfies] in S. destruct (ForallOrdPairs_In S _ _ XI XJ) as [X|[[X|X]|[X|X]]]; auto; now rewrite Q in N.
  Qed.
  Theorem foreign_ok rows facts t cs u ks i : In (ForeignKey t cs u ks) constraints -> List.length cs = List.length ks -> source_at rows i = Some (Table t) ->
    refuted rows (neg (terms_all (known_cells cs i)) :: facts) ->
    refuted (rows ++ [Table u]) (terms_all (equal_cells cs ks (S i) 0) :: extended 1 facts) -> refuted rows facts.
  Proof.
    intros K L I A B e E F. assert (S := proj1 (Forall_forall _ _) hold _ K). cbn [satisfies] in S. pose proof (present _ _ _ _ E I) as X. specialize (S _ X).
    destruct (is_true (mt e (terms_all (known_cells cs i)))) eqn:T.
    - rewrite terms_all_ok, known_cells_ok in T. destruct S as [S|(r & R & S)]; [contradiction|].
      apply (B (push r e)); [apply (more_rows rows [Table u] e); auto; cbn; apply in_flat_map; exists r; cbn; auto|].
      constructor; [|apply (extended_ok 1 e); auto]. rewrite terms_all_ok, equal_cells_ok by auto. now symmetry.
    - apply (A e E). constructor; auto. change (negb (is_true (mt e (terms_all (known_cells cs i)))) = true). now rewrite T.
  Qed.
  (** A check, as a formula about slot 0; that it says what the constraint's expression says is the compilation's lemma. *)
  Theorem check_ok rows facts t c i : (forall r e, In r (tables w t) -> is_true (mt (push r e) c) = true) -> source_at rows i = Some (Table t) ->
    refuted rows (rt (put i (fun j => j)) c :: facts) -> refuted rows facts.
  Proof.
    intros C I R e E F. apply (R e E). constructor; auto. pose proof (present _ _ _ _ E I) as X. rewrite (rt_ok w blocks named c (push (e i) e) e); [now apply C|]. now intros [|j].
  Qed.

  (** ** Member: a row of a support is one of some monomial. Name: what a monomial makes of rows of the branch is a row of the support. *)
  Fixpoint cells_are (i k : nat) (h : terms) : list term := match h with Tn => [] | Tc t h => ap2 IsSame (Cell i k) t :: cells_are i (S k) h end.
  Lemma cells_are_ok a i h : forall k pre, a i = pre ++ mts a h -> List.length pre = k -> all_true a (cells_are i k h).
  Proof.
    induction h as [|t h IH] using terms_list_i; intros k pre H L; cbn [cells_are]; constructor.
    - change (is_true (Truth (same (nth k (a i) Null) (mt a t))) = true). rewrite H. change (mts a (Tc t h)) with (mt a t :: mts a h). rewrite app_nth2, L, Nat.sub_diag by lia. cbn. unfold same. now destruct (value_eq_dec _ _).
    - apply (IH (S k) (pre ++ [mt a t])); [rewrite <- app_assoc; exact H|rewrite app_length; cbn; lia].
  Qed.
  Theorem member_ok rows facts i b : source_at rows i = Some (Support b) ->
    (forall m, In m (monos b) -> let n := List.length (fst (ends_of m)) in
      refuted (rows ++ fst (ends_of m)) (fst (snd (ends_of m)) :: cells_are (n + i) 0 (snd (snd (ends_of m))) ++ extended n facts)) -> refuted rows facts.
  Proof.
    intros I R e E F. pose proof (present _ _ _ _ E I) as X. change (In (e i) (nodup row_eq_dec (mb e b))) in X. rewrite nodup_In, in_bag in X. destruct X as (m & M & X).
    apply in_mono in X as (a & A & T & H). apply (R m M a (more_rows _ _ _ _ E A)). pose proof (choices_outer w blocks named _ _ _ A) as O.
    constructor; auto. apply Forall_app. split; [|now apply (extended_ok _ e)]. apply (cells_are_ok a _ _ 0 []); auto. now rewrite O.
  Qed.
  Theorem name_ok rows facts b m places x : In m (monos b) -> placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    In (rt x (fst (snd (ends_of m)))) facts ->
    refuted (rows ++ [Support b]) (cells_are 0 0 (shifts 1 (rts x (snd (snd (ends_of m))))) ++ extended 1 facts) -> refuted rows facts.
  Proof.
    intros M P I R e E F. destruct (placed_ok rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H). set (r := mts a (snd (snd (ends_of m)))).
    assert (IN : In r (ms e (Support b))).
    { change (In r (nodup row_eq_dec (mb e b))). rewrite nodup_In, in_bag. exists m. split; auto. apply in_mono. exists a. split; auto. split; auto.
      rewrite <- (rt_ok w blocks named _ a e x) by (intros; now rewrite H). exact (proj1 (Forall_forall _ _) F _ I). }
    apply (R (push r e)); [apply (more_rows rows [Support b] e); auto; cbn [Normal.choices]; apply in_flat_map; exists r; cbn; auto|].
    apply Forall_app. split; [|now apply (extended_ok 1 e)]. apply (cells_are_ok (push r e) 0 _ 0 []); auto. cbn [push app]. rewrite (shifts_ok w blocks named 1 _ e (push r e)) by auto.
    rewrite (rts_ok w blocks named _ a e x) by (intros; now rewrite H). reflexivity.
  Qed.
End Nodes.
