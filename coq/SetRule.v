(** * SET: bags without repetitions are equal when they have the same elements

    Over arbitrary elements, each value of one side has to be one of the other, on the same elements: some monomial of the
    other side, with each of its slots put into some slot of the same bag (EQUITAS' containment, complete for self-joins). *)
From Tallystick Require Export NoAgg.

Fixpoint is_set (e : term) : bool := match e with
  | Op Distinct [_] => true | Op Filter [_; b] => is_set b | Op Cartesian [b; c] => is_set b && is_set c | _ => false end.
(** A bag with the same elements, without [Distinct] and without unions of a bag with itself. *)
Fixpoint support (e : term) : term := match e with
  | Op Map [f; b] => Op Map [f; support b]
  | Op Filter [f; b] => Op Filter [f; support b]
  | Op Cartesian [b; c] => Op Cartesian [support b; support c]
  | Op Union [b; c] => if term_eqb (support b) (support c) then support b else Op Union [support b; support c]
  | Op Distinct [b] => support b
  | _ => e
  end.
(** The ways to put each slot into some slot of the same bag. *)
Fixpoint placements (ss target : list slot) : list (list slot) := match ss with
  | [] => [[]] | s :: ss => flat_map (fun t => map (cons t) (placements ss target)) (filter (same_bagb s) target) end.
Definition equals (m o : mono) (ts : list slot) : term :=
  let o := put_mono (combine (slots o) ts) o in conj [present o; eq' (result o) (result m)].
Definition contained (G : term) (here there : list mono) : list term :=
  map (fun m => implies (conj [G; present m])
    (disj (flat_map (fun o => map (equals m o) (placements (slots o) (slots m))) there))) here.
Definition set_premises (G : term) (ls rs : list mono) := contained G ls rs ++ contained G rs ls.
Definition set_rule (fuel : nat) (G P Q : term) (evidence : list tree) : bool :=
  is_set P && is_set Q && plain (support P) && plain (support Q) &&
  match monomials (support P), monomials (support Q) with
  | Some ls, Some rs => discharged fuel (set_premises G ls rs) evidence
  | _, _ => false
  end.

Lemma elements_in l v : In v (elements (bag l)) <-> In v l.
Proof. split; apply Permutation_in; [|symmetry]; apply elements_bag. Qed.
Ltac retype := cbn [typeof]; repeat (match goal with H : typeof _ _ ?f = _ |- context [typeof _ _ ?f] => rewrite H end; cbn [is when andb]);
  cbn; rewrite ?ty_eqb_refl; cbn; auto.

Lemma support_ok e : forall t, type e = Some (TBag t) -> type (support e) = Some (TBag t) /\
  forall r v, In v (elements (meaning r (support e))) <-> In v (elements (meaning r e)).
Proof.
  induction e using term_ind'; intros u T; try (cbn [support]; split; [exact T|intros; reflexivity]).
  destruct o; try (cbn [support]; split; [exact T|intros; reflexivity]); split_args args; cbn [support]; inv_forall;
    unfold type in T; cbn [typeof] in T; whens; unfold type in *;
    repeat match goal with A : forall t, typeof None None ?x = Some (TBag t) -> _, B : typeof None None ?x = Some (TBag _) |- _ =>
      let A1 := fresh "S" in let A2 := fresh "M" in destruct (A _ B) as [A1 A2]; clear A end.
  - split; [retype|]. intros r v. unfold meaning; cbn [run in_order]. rewrite !elements_in, !in_map_iff.
    split; intros (p & <- & X); exists p; split; auto; now apply (M r).
  - split; [retype|]. intros r v. unfold meaning; cbn [run in_order]. rewrite !elements_in, !filter_In.
    pose proof (M r v) as N. unfold meaning in N. tauto.
  - split; [retype|]. intros r v. unfold meaning; cbn [run in_order]. rewrite !elements_in, !in_flat_map.
    split; intros (p & X & Y); apply in_map_iff in Y as (q & <- & Y); exists p; (split; [now apply (M0 r) || now apply (M r)|]);
      apply in_map_iff; exists q; split; auto; now apply (M r) || now apply (M0 r).
  - destruct (term_eqb (support x) (support y)) eqn:Q.
    + apply term_eqb_eq in Q. split; [exact S0 || exact S|]. intros r v. unfold meaning; cbn [run in_order]. rewrite elements_in, in_app_iff.
      pose proof (M r v) as N1. pose proof (M0 r v) as N2. unfold meaning in N1, N2. rewrite Q in *. tauto.
    + split; [retype|]. intros r v. unfold meaning; cbn [run in_order]. rewrite !elements_in, !in_app_iff.
      pose proof (M r v) as N1. pose proof (M0 r v) as N2. unfold meaning in N1, N2. tauto.
  - split; [exact S|]. intros r v. unfold meaning at 2; cbn [run in_order]. rewrite elements_in, dedup_in. exact (M r v).
Qed.

Lemma NoDup_perm_map_pairs (l k : list val) : NoDup l -> NoDup k -> NoDup (flat_map (fun x => map (fun y => VTup [x; y]) k) l).
Proof.
  intros L K. apply flat_map_nodup; auto.
  - intros x _. apply FinFun.Injective_map_NoDup; auto. intros a b E. congruence.
  - intros x y b _ _ I J. apply in_map_iff in I as (c & <- & _). apply in_map_iff in J as (d & E & _). congruence.
Qed.
Lemma bag_nodup l : NoDup l -> NoDup (elements (bag l)).
Proof. intros N. eapply Permutation_NoDup; [symmetry; apply elements_bag|auto]. Qed.
Lemma is_set_ok r e : is_set e = true -> NoDup (elements (meaning r e)).
Proof.
  induction e using term_ind'; cbn [is_set]; try discriminate. destruct o; try discriminate;
    destruct args as [|x [|y [|]]]; try discriminate; inv_forall; intros S; unfold meaning; cbn [run in_order]; apply bag_nodup.
  - apply NoDup_filter'. now apply IH0.
  - apply andb_true_iff in S as [S1 S2]. apply NoDup_perm_map_pairs; [now apply IH|now apply IH0].
  - apply dedup_nodup.
Qed.

Lemma placements_ok ss target ts : In ts (placements ss target) -> Forall2 same_bags ss ts /\ Forall (fun t => In t target) ts.
Proof.
  revert ts; induction ss as [|s ss IH]; cbn; intros ts I.
  - destruct I as [<-|[]]; auto.
  - apply in_flat_map in I as (t & T & I). apply filter_In in T as [T E]. apply in_map_iff in I as (us & <- & U).
    destruct (IH us U). split; constructor; auto. now apply same_bagb_eq.
Qed.
Lemma contained_ok G t here there r v : Forall (well t) here -> Forall (well t) there -> Forall indexed here -> Forall indexed there ->
  bool_term G -> plain G = true -> (forall p, In p (contained G here there) -> valid p) -> typed r -> toB (meaning r G) = true ->
  In v (flat_map (outs r r) here) -> In v (flat_map (outs r r) there).
Proof.
  intros WH WT XH XT TG PG V R HG I. apply in_flat_map in I as (m & M & I). unfold outs in I. apply in_flat_map in I as (r' & R' & I).
  rewrite Forall_forall in WH, WT, XH, XT. destruct (XH m M) as [NM _ _ _]. pose proof (assign_in _ _ _ _ R' NM) as IN.
  apply assign_spec in R' as (T' & A' & _); auto using agree_self. unfold out in I. destruct (toB (meaning r' (present m))) eqn:PR; [|destruct I].
  destruct I as [<-|[]]. destruct (WH m M) as [W1 W2].
  assert (K : forall o ts, In o there -> In ts (placements (slots o) (slots m)) -> bool_term (equals m o ts) /\
     (toB (meaning r' (equals m o ts)) = true -> In (meaning r' (result m)) (out (renamed (combine (slots o) ts) r') o))).
  { intros o ts O TS. apply placements_ok in TS as [B _].
    assert (TP : typed_places (combine (slots o) ts)).
    { clear -B. unfold typed_places. induction B; cbn; constructor; auto. cbn. unfold same_bags in H. unfold slot_type. now rewrite H. }
    destruct (out_put (combine (slots o) ts) r' o t T' TP (WT o O)) as [[V1 V2] E]. unfold equals. cbv zeta.
    destruct (eq_ok r' _ _ t T' V1 W1) as [E1 E2].
    destruct (conj_list_ok r' [present (put_mono (combine (slots o) ts) o); eq' (result (put_mono (combine (slots o) ts) o)) (result m)] T') as [C1 C2]; [repeat constructor; auto|].
    split; [exact C1|]. rewrite C2. cbn [map forallb]. rewrite E2, andb_true_r, andb_true_iff, <- E. intros [Q1 Q2]. unfold out. rewrite Q1.
    apply veqb_eq in Q2. rewrite Q2. cbn; auto. }
  set (items := flat_map (fun o => map (equals m o) (placements (slots o) (slots m))) there).
  assert (BI : Forall bool_term items).
  { apply Forall_forall. intros q Q. apply in_flat_map in Q as (o & O & Q). apply in_map_iff in Q as (ts & <- & TS). now apply K. }
  assert (Q : valid (implies (conj [G; present m]) (disj items))) by (apply V; apply in_map_iff; exists m; auto).
  specialize (Q r' T'). destruct (conj_list_ok r' [G; present m] T') as [C1 C2]; [repeat constructor; auto|].
  destruct (disj_list_ok r' items T' BI) as [D1 D2]. rewrite (proj2 (implies_ok r' _ _ T' C1 D1)), C2, D2 in Q. cbn [map forallb] in Q.
  rewrite (plain_meaning r r' G A' PG), HG, PR in Q. cbn [andb implb] in Q.
  apply existsb_exists in Q as (b & B & TB). apply in_map_iff in B as (q & <- & B). apply in_flat_map in B as (o & O & B).
  apply in_map_iff in B as (ts & <- & TS). apply (proj2 (K o ts O TS)) in TB. apply placements_ok in TS as [B IT].
  apply in_flat_map. exists o. split; auto. unfold outs. apply in_flat_map. destruct (XT o O) as [NO X2 X3 _].
  set (r'' := renamed (combine (slots o) ts) r') in *.
  destruct (assign_complete r (slots o) (at_slot r'') NO) with (r := r) as (r3 & I3 & A3 & _).
  - intros s S. destruct (in_combine_fst (slots o) ts s (Forall2_len _ _ _ B) S) as (u & U).
    unfold at_slot, r'', renamed. rewrite place_slot, (find_combine _ _ _ NO _ U). cbn [snd].
    assert (SB : same_bags s u /\ In u (slots m)).
    { split; [|rewrite Forall_forall in IT; apply IT; eapply in_combine_r; eauto].
      clear -B U. revert U. induction B; cbn; [tauto|]. intros [E|H']; auto. inversion E; now subst. }
    destruct SB as [SB IU]. specialize (IN u IU). unfold at_slot in IN. unfold same_bags in SB. unfold slot_type in *. rewrite SB. exact IN.
  - exists r3. split; auto. pose proof (assign_spec r (slots o) R r R (agree_self r) r3 I3) as (T3 & AG3 & _).
    rewrite (out_local (slots o) o X2 X3 r3 r''); auto. split; auto. intros y u Y. unfold r''. rewrite renamed_plain by auto. now rewrite AG3, A'.
Qed.

Theorem set_rule_ok fuel G P Q evidence t : goal_ok G P Q = true -> type P = Some (TBag t) ->
  set_rule fuel G P Q evidence = true -> judged G P Q.
Proof.
  unfold goal_ok, set_rule. rewrite !andb_true_iff. intros ((((PG & PP) & PQ) & TG) & TQ) TP. rewrite TP in TQ.
  apply is_eq in TQ, TG. intros ((((SP & SQ) & PSP) & PSQ) & D).
  destruct (monomials (support P)) as [ls|] eqn:L; [|discriminate]. destruct (monomials (support Q)) as [rs|] eqn:RQ; [|discriminate].
  pose proof (discharged_ok _ _ _ D) as V. unfold set_premises in V. intros r R HG.
  destruct (support_ok P t TP) as [TP' MP]. destruct (support_ok Q t TQ) as [TQ' MQ].
  destruct (monomials_ok _ _ _ L TP' PSP) as (WL & XL & HL). destruct (monomials_ok _ _ _ RQ TQ' PSQ) as (WR & XR & HR).
  rewrite (typed_bag _ _ (typed_meaning r P _ R TP)), (typed_bag _ _ (typed_meaning r Q _ R TQ)). apply bag_same.
  apply NoDup_Permutation; [now apply is_set_ok|now apply is_set_ok|]. intros v. rewrite <- (MP r v), <- (MQ r v).
  split; intros I.
  - apply (Permutation_in _ (Permutation_sym (HR r R))), (contained_ok G t ls rs r v); auto.
    + intros p Hp. apply V, in_or_app; auto.
    + now apply (Permutation_in _ (HL r R)).
  - apply (Permutation_in _ (Permutation_sym (HL r R))), (contained_ok G t rs ls r v); auto.
    + intros p Hp. apply V, in_or_app; auto.
    + now apply (Permutation_in _ (HR r R)).
Qed.
