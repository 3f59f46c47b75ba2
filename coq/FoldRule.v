(** * FOLD: an invariant of the accumulators

    The folds of both sides run together, one step for each index set.  An invariant that holds of the initial values, and
    that each step preserves, holds of the values of the folds: which are then names for these (THEORY section 3).  Sources:
    TR Lemma 2, CAV Theorem 3; the rule is ours. *)
From Tallystick Require Export Orders.

Definition read_fold (t : term) (x : name) : option folded :=
  match t with
  | Op Fold [i; f; b] =>
      match type t, type b, monomials b with
      | Some k, Some (TBag u), Some ms =>
          Some {| acc := x; aty := k; ety := u; init := i; udf := f; over := b; mons := ms |}
      | _, _, _ => None
      end
  | _ => None
  end.

(** A step over elements of the index set [ss]: the fold takes one element of each of its monomials over [ss]. *)
Definition summands (ss : list slot) (d : folded) := filter (same_index ss) (mons d).
Definition taking (d : folded) (before : term) (m : mono) : term :=
  ite (present m) (apply (Some (result m)) (Some before) (udf d)) before.
Definition after (ss : list slot) (d : folded) : term := fold_left (taking d) (summands ss d) (state_of d).

Definition find_state (ds : list folded) (y : name) (u : ty) := find (fun d => name_eqb y (acc d) && ty_eqb u (aty d)) ds.
Definition states (ds : list folded) (f : folded -> option term) (t : term) : option term :=
  match t with Var y u => match find_state ds y u with Some d => f d | None => None end | _ => None end.
Definition initially (ds : list folded) := substitute (states ds (fun d => Some (init d))).
Definition stepped (ds : list folded) (ss : list slot) :=
  substitute (states ds (fun d => match summands ss d with [] => None | _ => Some (after ss d) end)).
Definition index_sets (ds : list folded) := groups (flat_map (fun d => map slots (mons d)) ds).

(** Where a fold has several monomials of one index set, it rests between their elements, where the invariant need not hold. *)
Definition one_each (d : folded) : bool := Nat.eqb (List.length (groups (map slots (mons d)))) (List.length (mons d)).
Definition fold_premises (G inv : term) (ds : list folded) : list term :=
  implies G (initially ds inv) ::
  map (fun ss => implies (conj [G; inv]) (stepped ds ss inv)) (index_sets ds) ++
  flat_map (fun d => orders (if one_each d then conj [G; inv] else G) d) ds.
Definition fold_state (ds : list folded) (t : term) : option term :=
  match find (fun d => term_eqb t (the_fold d)) (rev ds) with Some d => Some (state_of d) | None => None end.

Fixpoint distinct_names (l : list name) : bool :=
  match l with [] => true | x :: l => negb (existsb (name_eqb x) l) && distinct_names l end.
Definition fresh_in (x : name) (t : term) := negb (occurs x t).
Definition parts_of_fold (d : folded) := the_fold d :: flat_map (fun m => [present m; result m]) (mons d).
Definition fold_ok (G P Q inv : term) (ds : list folded) : bool :=
  goal_ok G P Q && plain inv && is (type inv) TBool && distinct_names (map acc ds) &&
  forallb (fun d => stands (acc d) && plain (the_fold d) &&
    forallb (fun e => forallb (fresh_in (acc d)) (parts_of_fold e)) ds &&
    forallb (fresh_in (acc d)) [G; P; Q]) ds.

Lemma find_state_in ds d : distinct_names (map acc ds) = true -> In d ds -> find_state ds (acc d) (aty d) = Some d.
Proof.
  unfold find_state. induction ds as [|e ds IH]; cbn; [tauto|]. rewrite andb_true_iff, negb_true_iff. intros [N D] [->|I].
  - now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl.
  - destruct (name_eqb (acc d) (acc e)) eqn:E; [|now apply IH]. apply name_eqb_eq in E. exfalso.
    enough (existsb (name_eqb (acc e)) (map acc ds) = true) by congruence. apply existsb_exists. exists (acc d).
    split; [now apply in_map|]. now apply name_eqb_eq.
Qed.
Lemma find_state_some ds y u d : find_state ds y u = Some d -> In d ds /\ y = acc d /\ u = aty d.
Proof.
  intros F. apply find_some in F as [I E]. apply andb_true_iff in E as [E1 E2]. apply name_eqb_eq in E1. apply ty_eqb_eq in E2. auto.
Qed.
Lemma filter_length {A} (p : A -> bool) l : (List.length (filter p l) <= List.length l)%nat.
Proof. induction l as [|x l IH]; cbn; auto. destruct (p x); cbn; lia. Qed.
Lemma groups_length l : (List.length (groups l) <= List.length l)%nat.
Proof. induction l as [|s l IH]; cbn; auto. pose proof (filter_length (fun t => negb (slots_eqb s t)) (groups l)). lia. Qed.
Lemma filter_all {A} (p : A -> bool) l : List.length (filter p l) = List.length l -> forall x, In x l -> p x = true.
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. pose proof (filter_length p l). destruct (p y) eqn:E; cbn; intros L x [<-|I]; auto; try lia.
Qed.
Lemma groups_all l : List.length (groups l) = List.length l -> NoDup l.
Proof.
  induction l as [|s l IH]; cbn; [constructor|]. intros E. injection E as E. pose proof (groups_length l).
  pose proof (filter_length (fun t => negb (slots_eqb s t)) (groups l)). constructor; [|apply IH; lia].
  intros I. apply (proj2 (groups_in l s)) in I.
  assert (X : negb (slots_eqb s s) = true) by (apply (filter_all (fun t => negb (slots_eqb s t)) (groups l)); [lia|exact I]).
  now rewrite (proj2 (slots_eqb_eq _ _) eq_refl) in X.
Qed.

Section FoldSound.
  Variables (G inv : term) (ds : list folded) (r : env).
  Hypothesis R : typed r.
  Hypothesis HG : toB (meaning r G) = true.
  Hypothesis PG : plain G = true.
  Hypothesis TG : bool_term G.
  Hypothesis PI : plain inv = true.
  Hypothesis TI : bool_term inv.
  Hypothesis DN : distinct_names (map acc ds) = true.
  Hypothesis READ : forall d, In d ds -> type (the_fold d) = Some (aty d) /\ type (over d) = Some (TBag (ety d)) /\ monomials (over d) = Some (mons d).
  Hypothesis AS : forall d, In d ds -> stands (acc d) = true.
  Hypothesis PF : forall d, In d ds -> plain (the_fold d) = true.
  Hypothesis FR : forall d e t, In d ds -> In e ds -> In t (parts_of_fold e) -> occurs (acc d) t = false.
  Hypothesis FG : forall d, In d ds -> occurs (acc d) G = false.
  Hypothesis V : forall p, In p (fold_premises G inv ds) -> valid p.

  Definition upd (e : env) (f : folded -> val) : env := fun y u => match find_state ds y u with Some d => f d | None => e y u end.
  Definition mix (e s : env) : env := fun y u => if is_slot y then s y u else e y u.
  Definition F d m x := eval r x m (udf d).
  Definition A (d : folded) (e : env) := e (acc d) (aty d).
  Definition good (e : env) := typed e /\ toB (meaning e inv) = true /\
    forall y u, is_slot y = false -> find_state ds y u = None -> e y u = r y u.
  Definition e0 := upd r (fun d => meaning r (init d)).
  Definition step (ev : list slot * env) (e : env) : env :=
    let e' := mix e (snd ev) in upd e' (fun d => meaning e' (after (fst ev) d)).
  Definition event (ev : list slot * env) := In (fst ev) (index_sets ds) /\ typed (snd ev) /\ agree r (snd ev).

  Lemma not_found y u t : (forall d, In d ds -> occurs (acc d) t = false) -> uses y u t = true -> find_state ds y u = None.
  Proof.
    intros O U. destruct (find_state ds y u) as [d|] eqn:E; auto. apply find_state_some in E as (I & -> & ->).
    apply uses_occurs in U. rewrite (O d I) in U. discriminate.
  Qed.
  Lemma parts d : In d ds -> type (init d) = Some (aty d) /\ typeof (Some (ety d)) (Some (aty d)) (udf d) = Some (aty d) /\
    Forall (well (ety d)) (mons d) /\ Forall indexed (mons d) /\ plain (init d) = true /\ plain (udf d) = true /\ plain (over d) = true.
  Proof.
    intros I. destruct (READ d I) as (T1 & T2 & T3). unfold type, the_fold in T1; cbn [typeof] in T1.
    change (typeof None None (init d)) with (type (init d)) in T1.
    change (typeof None None (over d)) with (type (over d)) in T1. rewrite T2 in T1.
    destruct (type (init d)) as [k|]; [|discriminate]. destruct (is _ k) eqn:E; [|discriminate]. cbn [when] in T1. inversion T1; subst.
    apply is_eq in E. pose proof (PF d I) as P. cbn in P. rewrite !andb_true_iff in P.
    destruct (monomials_ok _ _ _ T3 T2) as (W & X & _); [tauto|]. tauto.
  Qed.
  (** Terms without accumulators mean the same in all good states. *)
  Lemma good_plain e t : good e -> plain t = true -> (forall d, In d ds -> occurs (acc d) t = false) -> meaning e t = meaning r t.
  Proof.
    intros (_ & _ & E) P O. apply meaning_ext. intros y u U. apply E; [eapply plain_occurs; eauto|]. eapply not_found; eauto.
  Qed.
  Lemma good_udf e d x m : good e -> In d ds -> eval e x m (udf d) = F d m x.
  Proof.
    intros (_ & _ & E) I. unfold F. apply eval_ext. intros y u U. destruct (parts d I) as (_ & _ & _ & _ & _ & P & _).
    apply E; [eapply plain_occurs; eauto|]. apply (not_found y u (udf d)); auto. intros d' I'.
    pose proof (FR d' d (the_fold d) I' I (or_introl eq_refl)) as O. cbn in O. rewrite !orb_false_iff in O. tauto.
  Qed.
  Lemma mono_part d m t : In m (mons d) -> In t [present m; result m] -> In t (parts_of_fold d).
  Proof. intros M T. right. apply in_flat_map. eauto. Qed.
  (** A monomial's terms mean what they mean where the slots have their values. *)
  Lemma mix_meaning e s d m t : good e -> In d ds -> agree r s -> In m (mons d) -> In t [present m; result m] -> meaning (mix e s) t = meaning s t.
  Proof.
    intros (_ & _ & E) I AG M T. apply meaning_ext. intros y u U. unfold mix. destruct (is_slot y) eqn:Y; auto.
    rewrite AG, E; auto. apply (not_found y u t); auto. intros d' I'. apply (FR d' d t I' I), (mono_part d m); auto.
  Qed.

  (** The value after a step: the fold of what the summands put out. *)
  Lemma taken_value d e : In d ds -> typed e -> forall ms, (forall m, In m ms -> well (ety d) m) -> forall b, type b = Some (aty d) ->
    type (fold_left (taking d) ms b) = Some (aty d) /\
    meaning e (fold_left (taking d) ms b) = fold_left (fun a x => eval e x a (udf d)) (flat_map (out e) ms) (meaning e b).
  Proof.
    intros I E. destruct (parts d I) as (T1 & T2 & _). induction ms as [|m ms IH]; intros W b B; [cbn; auto|].
    destruct (W m (or_introl eq_refl)) as [W1 W2].
    destruct (apply_ok e E (udf d) (Some (ety d)) (Some (aty d)) (meaning e (result m)) (meaning e b) (Some (result m)) (Some b) (aty d))
      as [B1 B2]; auto; try (cbn; auto; fail); try (now apply typed_meaning).
    destruct (ite_ok e (present m) (apply (Some (result m)) (Some b) (udf d)) b (aty d) E W2 B1 B) as [C1 C2].
    cbn [fold_left flat_map]. destruct (IH (fun m' M => W m' (or_intror M)) (taking d b m) C1) as [D1 D2]. split; [exact D1|].
    rewrite D2. unfold taking. rewrite C2, B2, fold_left_app.
    change (out e m) with (if toB (meaning e (present m)) then [meaning e (result m)] else []). destruct (toB (meaning e (present m))); reflexivity.
  Qed.
  Lemma summands_well ss d : In d ds -> forall m, In m (summands ss d) -> well (ety d) m.
  Proof. intros I m M. apply filter_In in M as [M _]. destruct (parts d I) as (_ & _ & W & _). rewrite Forall_forall in W. auto. Qed.
  Lemma after_ok ss d e : In d ds -> typed e -> type (after ss d) = Some (aty d) /\
    meaning e (after ss d) = fold_left (fun a x => eval e x a (udf d)) (flat_map (out e) (summands ss d)) (A d e).
  Proof. intros I E. apply (taken_value d e I E (summands ss d) (summands_well ss d I) (state_of d)). reflexivity. Qed.
  Lemma typed_mix e s : typed e -> typed s -> typed (mix e s).
  Proof. intros E S' y u. unfold mix. destruct (is_slot y); auto. Qed.
  Lemma good_mix e s : good e -> typed s -> good (mix e s).
  Proof.
    intros (E1 & E2 & E3) S'. repeat split; auto using typed_mix.
    - rewrite <- E2. f_equal. apply meaning_ext. intros y u U. unfold mix. now rewrite (plain_occurs _ _ PI u U).
    - intros y u Y. unfold mix. rewrite Y. now apply E3.
  Qed.
  Lemma typed_upd e f : typed e -> (forall d, In d ds -> has_type (f d) (aty d)) -> typed (upd e f).
  Proof.
    intros E H y u. unfold upd. destruct (find_state ds y u) as [d|] eqn:Q; auto. apply find_state_some in Q as (I & _ & ->). auto.
  Qed.
  Lemma states_ok e f g : typed e -> (forall d, In d ds -> has_type (f d) (aty d)) ->
    (forall d, In d ds -> match g d with Some u => type u = Some (aty d) /\ meaning e u = f d | None => f d = A d e end) ->
    bool_term (substitute (states ds g) inv) /\ meaning e (substitute (states ds g) inv) = meaning (upd e f) inv.
  Proof.
    intros E T H.
    destruct (substitute_ok (upd e f) e (states ds g) (typed_upd e f E T) E) with (t := inv) (ce := @None ty) (ca := @None ty) (u := TBool) as [S1 S2]; auto.
    - intros t u S'. destruct t; try discriminate. cbn in S'. destruct (find_state ds x t) as [d|] eqn:Q; [|discriminate].
      pose proof Q as Q'. apply find_state_some in Q as (I & -> & ->). specialize (H d I). rewrite S' in H. exists (aty d).
      repeat split; try tauto. unfold meaning at 2; cbn. unfold upd. rewrite Q'. tauto.
    - intros y u _ N. cbn in N. unfold upd. destruct (find_state ds y u) as [d|] eqn:Q; auto. apply find_state_some in Q as (I & -> & ->).
      specialize (H d I). destruct N as [N|N]; [rewrite N in H; exact H|]. now rewrite (stands_app _ (AS d I)) in N.
    - split; auto. exact (S2 nothing nothing I I).
  Qed.

  Lemma good_e0 : good e0.
  Proof.
    assert (T : forall d, In d ds -> has_type (meaning r (init d)) (aty d)).
    { intros d I. apply typed_meaning; auto. apply (parts d I). }
    destruct (states_ok r (fun d => meaning r (init d)) (fun d => Some (init d)) R T) as [S1 S2].
    { intros d I. split; auto. apply (parts d I). }
    repeat split.
    - apply typed_upd; auto.
    - unfold e0. rewrite <- S2. pose proof (V _ (or_introl eq_refl) r R) as W. unfold initially in W.
      rewrite (proj2 (implies_ok r _ _ R TG S1)), HG in W. exact W.
    - intros y u _ N. unfold e0, upd. now rewrite N.
  Qed.
  Lemma good_step ev e : event ev -> good e -> good (step ev e).
  Proof.
    intros (EV & ES & EA) GE. pose proof (good_mix e (snd ev) GE ES) as (M1 & M2 & M3).
    set (f := fun d => meaning (mix e (snd ev)) (after (fst ev) d)).
    assert (T : forall d, In d ds -> has_type (f d) (aty d)).
    { intros d I. unfold f. apply typed_meaning; auto. now apply (after_ok _ d e); [|apply GE]. }
    destruct (states_ok _ f (fun d => match summands (fst ev) d with [] => None | _ => Some (after (fst ev) d) end) M1 T) as [S1 S2].
    { intros d I. destruct (summands (fst ev) d) eqn:SE.
      - unfold f. rewrite (proj2 (after_ok (fst ev) d _ I M1)), SE. reflexivity.
      - split; auto. now apply (after_ok (fst ev) d e I (proj1 GE)). }
    repeat split.
    - now apply typed_upd.
    - unfold step. fold f. rewrite <- S2. assert (W : valid (implies (conj [G; inv]) (stepped ds (fst ev) inv))).
      { apply V. right. apply in_or_app. left. apply in_map_iff. eauto. }
      specialize (W _ M1). destruct (conj_list_ok _ [G; inv] M1) as [C1 C2]; [now repeat constructor|].
      unfold stepped in W. rewrite (proj2 (implies_ok _ _ _ M1 C1 S1)), C2 in W. cbn [map forallb] in W.
      rewrite (good_plain (mix e (snd ev)) G) in W; auto; [|repeat split; auto]. rewrite HG, M2 in W. exact W.
    - intros y u Y N. unfold step, upd. rewrite N. unfold mix. rewrite Y. now apply GE.
  Qed.
  Lemma A_step d ev e : In d ds -> event ev -> good e ->
    A d (step ev e) = fold_left (F d) (flat_map (out (snd ev)) (summands (fst ev) d)) (A d e).
  Proof.
    intros I (EV & ES & EA) GE. pose proof (good_mix e (snd ev) GE ES) as GM.
    unfold A at 1, step, upd. rewrite (find_state_in ds d DN I), (proj2 (after_ok _ d _ I (proj1 GM))).
    assert (AE : A d (mix e (snd ev)) = A d e) by (unfold A, mix; now rewrite (stands_slot _ (AS d I))). rewrite AE.
    assert (O : flat_map (out (mix e (snd ev))) (summands (fst ev) d) = flat_map (out (snd ev)) (summands (fst ev) d)).
    { assert (IM : forall m, In m (summands (fst ev) d) -> In m (mons d)) by (intros m M; now apply filter_In in M).
      induction (summands (fst ev) d) as [|m l IH]; cbn [flat_map]; auto. rewrite IH by (intros; apply IM; cbn; auto). f_equal.
      unfold out. rewrite !(mix_meaning e (snd ev) d m) by (cbn; auto; apply IM; cbn; auto). reflexivity. }
    rewrite O. clear O. generalize (A d e). induction (flat_map _ _) as [|x l IH]; cbn; intros v; auto. rewrite (good_udf _ d x v GM I). apply IH.
  Qed.
  Definition run_all (l : list (list slot * env)) := fold_left (fun e ev => step ev e) l e0.
  Definition taken d (l : list (list slot * env)) := flat_map (fun ev => flat_map (out (snd ev)) (summands (fst ev) d)) l.
  Lemma run_ok l : Forall event l -> good (run_all l) /\ forall d, In d ds -> A d (run_all l) = fold_left (F d) (taken d l) (meaning r (init d)).
  Proof.
    unfold run_all, taken. intros H.
    assert (K : forall e, good e -> good (fold_left (fun e ev => step ev e) l e) /\ forall d, In d ds ->
      A d (fold_left (fun e ev => step ev e) l e) = fold_left (F d) (taken d l) (A d e)).
    { induction H as [|ev l E _ IH]; cbn [fold_left]; intros e GE; auto. destruct (IH _ (good_step ev e E GE)) as [I1 I2]. split; auto.
      intros d I. rewrite I2, A_step by auto. unfold taken at 2. cbn [flat_map]. rewrite fold_left_app. reflexivity. }
    destruct (K e0 good_e0) as [K1 K2]. split; auto. intros d I. rewrite K2; auto. f_equal.
    unfold A, e0, upd. now rewrite (find_state_in ds d DN I).
  Qed.

  (** Elements of a folded bag may be taken in either order, wherever [known] holds. *)
  Lemma commutes d e known s1 s2 m o y1 y2 : In d ds -> typed e -> bool_term known -> plain known = true -> toB (meaning e known) = true ->
    (forall y u t, In t (parts_of_fold d) -> is_slot y = false -> uses y u t = true -> e y u = r y u) ->
    (forall p, In p (orders known d) -> valid p) ->
    typed s1 -> typed s2 -> agree r s1 -> agree r s2 -> In m (mons d) -> In o (mons d) -> In y1 (out s1 m) -> In y2 (out s2 o) ->
    F d (F d (A d e) y1) y2 = F d (F d (A d e) y2) y1.
  Proof.
    intros I TE K1 K2 K3 AE VO T1 T2 A1 A2 M O Y1 Y2. destruct (parts d I) as (_ & TU & W & X & _ & PU & _).
    assert (UF : forall x a, eval e x a (udf d) = F d a x).
    { intros x a. apply eval_ext. intros y u U. apply (AE y u (the_fold d)); [left; auto|eapply plain_occurs; eauto|].
      cbn. rewrite U. now rewrite orb_true_r. }
    pose proof (orders_ok known d m o e s1 s2 y1 y2 TE T1 T2 K1 K2 K3 W X TU PU (stands_slot _ (AS d I))) as Q. cbv beta zeta in Q. rewrite !UF in Q. apply Q; auto.
    intros m' t M' T y u Y U. assert (e y u = r y u) by (apply (AE y u t); auto; now apply (mono_part d m')). now rewrite A1, A2.
  Qed.
  Lemma fresh_uses d y u t : In d ds -> In t (parts_of_fold d) -> uses y u t = true -> find_state ds y u = None.
  Proof. intros I T. apply not_found. intros d' I'. exact (FR d' d t I' I T). Qed.

  Definition all_events := flat_map (fun ss => map (pair ss) (assign r r ss)) (index_sets ds).
  Lemma all_events_ok : Forall event all_events.
  Proof.
    apply Forall_forall. intros ev E. apply in_flat_map in E as (ss & S' & E). apply in_map_iff in E as (s & <- & E).
    apply assign_spec in E as (E1 & E2 & _); auto using agree_self. repeat split; auto.
  Qed.
  Lemma index_set_in d m : In d ds -> In m (mons d) -> In (slots m) (index_sets ds).
  Proof. intros I M. apply groups_in, in_flat_map. exists d. split; auto. now apply in_map. Qed.
  Lemma all_taken d : In d ds -> Permutation (taken d all_events) (flat_map (outs r r) (mons d)).
  Proof.
    intros I. unfold taken, all_events. rewrite flat_map_flat_map.
    etransitivity; [|symmetry; apply (by_groups (outs r r) (index_sets ds) (mons d)); [apply groups_nodup|intros; now apply (index_set_in d)]].
    apply flat_map_same. intros ss _. rewrite flat_map_map. cbn [fst snd].
    etransitivity; [apply flat_map_swap|]. fold (summands ss d). apply flat_map_same. intros m M. unfold outs.
    apply filter_In in M as [_ M]. apply slots_eqb_eq in M. rewrite M. reflexivity.
  Qed.
  Lemma elements_over d : In d ds -> Permutation (flat_map (outs r r) (mons d)) (elements (meaning r (over d))).
  Proof.
    intros I. destruct (READ d I) as (_ & T2 & T3). destruct (parts d I) as (_ & _ & _ & _ & _ & _ & P).
    destruct (monomials_ok _ _ _ T3 T2 P) as (_ & _ & H). symmetry. now apply H.
  Qed.
  Lemma summands_one d m : In d ds -> one_each d = true -> In m (mons d) -> summands (slots m) d = [m].
  Proof.
    intros I O M. unfold one_each in O. apply Nat.eqb_eq in O. rewrite <- (map_length slots) in O.
    apply groups_all in O. unfold summands. clear -O M. induction (mons d) as [|o l IH]; [destruct M|].
    cbn in O. inversion O; subst. cbn [filter]. unfold same_index at 1. destruct M as [->|M].
    - rewrite (proj2 (slots_eqb_eq _ _) eq_refl). f_equal. clear -H1. induction l as [|o l IH]; cbn; auto.
      unfold same_index at 1. destruct (slots_eqb (slots o) (slots m)) eqn:Q; [apply slots_eqb_eq in Q; cbn in H1; rewrite Q in H1; tauto|].
      apply IH. cbn in H1. tauto.
    - destruct (slots_eqb (slots o) (slots m)) eqn:Q; [|auto]. apply slots_eqb_eq in Q. exfalso. apply H1. rewrite Q. now apply in_map.
  Qed.
  (** A fold may take elements of its bag in any order. *)
  Lemma any_order_of d l l' : In d ds -> (forall y, In y l -> In y (elements (meaning r (over d)))) -> Permutation l l' ->
    fold_left (F d) l (meaning r (init d)) = fold_left (F d) l' (meaning r (init d)).
  Proof.
    intros I IL PM.
    pose (Q := fun y => exists s m, typed s /\ agree r s /\ In m (mons d) /\ In y (out s m)).
    assert (FQ : Forall Q l).
    { apply Forall_forall. intros y Y. apply IL, (Permutation_in _ (Permutation_sym (elements_over d I))) in Y. apply in_flat_map in Y as (m & M & Y).
      unfold outs in Y. apply in_flat_map in Y as (s & S1 & S2). apply assign_spec in S1 as (E1 & E2 & _); auto using agree_self. exists s, m; auto. }
    assert (VO : forall p, In p (orders (if one_each d then conj [G; inv] else G) d) -> valid p).
    { intros p Hp. apply V. right. apply in_or_app. right. apply in_flat_map. eauto. }
    destruct (parts d I) as (TI0 & TU & W & _). destruct (one_each d) eqn:OE.
    - pose (RE := fun a => exists k, Forall event k /\ a = A d (run_all k)).
      apply (fold_left_perm (F d) Q RE); auto.
      + intros a y (k & L & ->) (s & m & S1 & S2 & S3 & S4). exists (k ++ [(slots m, s)]).
        assert (EV : event (slots m, s)) by (repeat split; auto; now apply (index_set_in d)).
        split; [apply Forall_app; auto|]. unfold run_all. rewrite fold_left_app. cbn [fold_left]. rewrite A_step; auto; [|now apply run_ok].
        cbn [fst snd]. rewrite (summands_one d m I OE S3). cbn [flat_map]. rewrite app_nil_r.
        unfold out in *. destruct (toB (meaning s (present m))); [|destruct S4]. destruct S4 as [<-|[]]. reflexivity.
      + intros a y z (k & L & ->) (s & m & S1 & S2 & S3 & S4) (s' & m' & S1' & S2' & S3' & S4').
        destruct (run_ok k L) as [GE _]. pose proof GE as (E1 & E2 & E3).
        destruct (conj_list_ok (run_all k) [G; inv] E1) as [C1 C2]; [now repeat constructor|].
        apply (commutes d (run_all k) (conj [G; inv]) s s' m m'); auto.
        * apply plain_conj; auto.
        * rewrite C2. cbn [map forallb]. now rewrite (good_plain _ G GE PG FG), HG, E2.
        * intros x u t T Y U. apply E3; auto. eapply fresh_uses; eauto.
      + exists []. split; auto. rewrite (proj2 (run_ok [] (Forall_nil _)) d I). reflexivity.
    - pose (RE := fun a => has_type a (aty d)). pose (QT := fun y => Q y /\ has_type y (ety d)).
      assert (TF : forall a y, RE a -> QT y -> RE (F d a y)).
      { intros a y HA [_ HY]. unfold RE, F. eapply preservation; eauto. }
      apply (fold_left_perm (F d) QT RE); auto.
      + intros a y z HA [(s & m & S1 & S2 & S3 & S4) _] [(s' & m' & S1' & S2' & S3' & S4') _].
        set (e := set r (acc d) (aty d) a). assert (TE : typed e) by (apply set_typed; auto).
        assert (AE : A d e = a) by (unfold A, e, set; now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl).
        assert (EE : forall x u t, occurs (acc d) t = false -> uses x u t = true -> e x u = r x u).
        { intros x u t O U. unfold e, set. destruct (name_eqb x (acc d)) eqn:N; auto. apply name_eqb_eq in N. subst x. apply uses_occurs in U. congruence. }
        rewrite <- AE. apply (commutes d e G s s' m m'); auto.
        * rewrite <- HG. f_equal. apply meaning_ext. intros x u U. now apply (EE x u G); auto.
        * intros x u t T _ U. apply (EE x u t); auto. now apply (FR d d).
      + apply Forall_forall. intros y Y. rewrite Forall_forall in FQ. pose proof (FQ y Y) as QY. split; auto.
        destruct QY as (s & m & S1 & S2 & S3 & S4). unfold out in S4. destruct (toB (meaning s (present m))); [|destruct S4]. destruct S4 as [<-|[]].
        rewrite Forall_forall in W. apply typed_meaning; auto. now apply W.
      + now apply typed_meaning.
  Qed.
  (** So the value after all steps is that of the fold. *)
  Lemma fold_value d : In d ds -> A d (run_all all_events) = meaning r (the_fold d).
  Proof.
    intros I. rewrite (proj2 (run_ok _ all_events_ok) d I). symmetry.
    change (meaning r (the_fold d)) with (fold_left (F d) (elements (meaning r (over d))) (meaning r (init d))).
    apply any_order_of; auto. symmetry. etransitivity; [now apply all_taken|now apply elements_over].
  Qed.
End FoldSound.

Lemma fold_state_in ds t u : fold_state ds t = Some u -> exists d, In d ds /\ t = the_fold d /\ u = state_of d.
Proof.
  unfold fold_state. destruct (find _ (rev ds)) as [d|] eqn:FD; [|discriminate]. intros [= <-].
  apply find_some in FD as [I B]. apply term_eqb_eq in B. apply in_rev in I. eauto.
Qed.
Theorem fold_sound G P Q inv ds : fold_ok G P Q inv ds = true ->
  (forall d, In d ds -> type (the_fold d) = Some (aty d) /\ type (over d) = Some (TBag (ety d)) /\ monomials (over d) = Some (mons d)) ->
  (forall p, In p (fold_premises G inv ds) -> valid p) ->
  judged (conj [G; inv]) (substitute (fold_state ds) P) (substitute (fold_state ds) Q) -> judged G P Q.
Proof.
  unfold fold_ok, goal_ok. rewrite !andb_true_iff. intros ((((((((PG & PP) & PQ) & TG) & TQ) & PI) & TI) & DN) & DS) READ V J r R HG.
  apply is_eq in TG, TI. rewrite forallb_forall in DS.
  assert (DS' : forall d, In d ds -> stands (acc d) = true /\ plain (the_fold d) = true /\
     (forall e t, In e ds -> In t (parts_of_fold e) -> occurs (acc d) t = false) /\
     (forall t, In t [G; P; Q] -> occurs (acc d) t = false)).
  { intros d I. specialize (DS d I). rewrite !andb_true_iff in DS. destruct DS as (((S1 & S2) & S6) & S7).
    repeat split; auto.
    - intros e t E T. rewrite forallb_forall in S6. specialize (S6 e E). rewrite forallb_forall in S6. apply negb_true_iff, (S6 t T).
    - intros t T. rewrite forallb_forall in S7. apply negb_true_iff, (S7 t T). }
  clear DS.
  assert (AS : forall d, In d ds -> stands (acc d) = true) by (intros d I; apply (DS' d I)).
  assert (PF : forall d, In d ds -> plain (the_fold d) = true) by (intros d I; apply (DS' d I)).
  assert (FR : forall d e t, In d ds -> In e ds -> In t (parts_of_fold e) -> occurs (acc d) t = false)
    by (intros d e t I; apply (DS' d I)).
  assert (FA : forall t, In t [G; P; Q] -> forall d, In d ds -> occurs (acc d) t = false) by (intros t T d I; apply (DS' d I); auto).
  assert (FG : forall d, In d ds -> occurs (acc d) G = false) by (apply FA; cbn; auto).
  set (e := run_all ds r (all_events ds r)).
  assert (GE : good inv ds r e).
  { apply (run_ok G inv ds r R HG PG TG PI TI DN READ AS PF FR FG V). apply all_events_ok; auto. }
  assert (VE : forall d, In d ds -> A d e = meaning r (the_fold d)).
  { intros d I. apply (fold_value G inv ds r R HG PG TG PI TI DN READ AS PF FR FG V); auto. }
  assert (SE : forall t k, In t [G; P; Q] -> plain t = true -> type t = Some k -> meaning e (substitute (fold_state ds) t) = meaning r t).
  { intros t k T PT TT. destruct GE as (E1 & E2 & E3).
    apply (substitute_ok r e (fold_state ds) R E1) with (ce := None) (ca := None) (u := k); cbn; auto.
    - intros z u Z. apply fold_state_in in Z as (d & I & -> & ->). exists (aty d). repeat split; [apply (READ d I)|apply (VE d I)].
    - intros y u U N. symmetry. apply E3; [eapply plain_occurs; eauto|]. exact (not_found ds y u t (FA t T) U). }
  destruct (type P) as [k|] eqn:TP; [|discriminate]. apply is_eq in TQ.
  rewrite <- (SE P k), <- (SE Q k); cbn; auto. apply J; [apply GE|].
  destruct (conj_list_ok e [G; inv] (proj1 GE)) as [_ C2]; [now repeat constructor|]. rewrite C2. cbn [map forallb].
  rewrite (good_plain inv ds r e G GE PG FG), HG, (proj1 (proj2 GE)); auto.
Qed.
