(** * BYKEY: one joint bucket

    Elements of one bucket, on both sides, drive one state: whether each bucket exists, and both accumulators.  The invariant holds
    of it, and gives equal outputs ([final]). *)
From Tallystick Require Export ByKeyRule.

Lemma disj2_ok r p q : typed r -> bool_term p -> bool_term q ->
  bool_term (disj [p; q]) /\ meaning r (disj [p; q]) = VBool (toB (meaning r p) || toB (meaning r q)).
Proof.
  intros R P Q. assert (T : type (Op Or [p; q]) = Some TBool) by (unfold bool_term, type in *; cbn [typeof map forallb]; now rewrite P, Q).
  destruct (mk_ok None None r nothing nothing R I I _ _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning, disj in *. rewrite E2. cbn [run in_order map existsb]. now rewrite orb_false_r.
Qed.
Section BySound.
  Variables (G inv : term) (d1 d2 : side) (ss : list slot) (r : env).
  Notation ds := [d1; d2].
  Notation sts := (all_states [d1; d2]).
  Hypothesis R : typed r.
  Hypothesis HG : toB (meaning r G) = true.
  Hypothesis PG : plain G = true.
  Hypothesis TG : bool_term G.
  Hypothesis PI : plain inv = true.
  Hypothesis TI : bool_term inv.
  Hypothesis DN : distinct_names (map acc sts) = true.
  Hypothesis KN : forall d, In d ds -> find_state sts (kx d) (kt d) = None /\ is_slot (kx d) = false /\ stands (ax d) = true /\ stands (ex d) = true.
  Hypothesis TS : forall d, In d ds -> type (start d) = Some (tt d) /\ typeof (Some (vt d)) (Some (tt d)) (step' d) = Some (tt d) /\
    type (source d) = Some (TBag (TTup [kt d; vt d])) /\ monomials (source d) = Some [sm d] /\ plain (step' d) = true /\ plain (source d) = true.
  Hypothesis SS : forall d, In d ds -> slots (sm d) = ss /\ indexed (sm d).
  Hypothesis FR : forall s t, In s sts -> In t (G :: flat_map (fun d => [step' d; present (sm d); result (sm d)]) ds) -> occurs (acc s) t = false.
  Hypothesis PK : plain (conj [G; inv]) = true.
  Hypothesis IB : forall d t, In d ds -> In t [present (bucket_mono d); result (bucket_mono d)] ->
    covered ss t = true /\ forall s, In s sts -> occurs (acc s) t = false.
  Hypothesis V : forall p, In p (by_key_premises G inv d1 d2) -> valid p.

  Definition W d : In d ds -> well (TTup [kt d; vt d]) (sm d).
  Proof. intros I. destruct (TS d I) as (_ & _ & T & M & _ & P). destruct (monomials_ok _ _ _ M T P) as [W _]. exact (Forall_inv W). Qed.
  Definition present_at d s := toB (meaning s (present (sm d))).
  Definition key_at d s := component 0 (meaning s (result (sm d))).
  Definition value_at d s := component 1 (meaning s (result (sm d))).
  Definition enabled s := typed s /\ agree r s /\ forall d, In d ds -> present_at d s = true -> key_at d s = r (kx d) (kt d).
  Definition next s e := let e' := mix e s in upd sts e' (fun st => meaning e' (udf st)).
  Definition FS d m x := eval r x m (step' d).
  Definition e_start := upd sts r (fun st => meaning r (init st)).
  Notation good := (good inv sts r).
  Definition exists_in d (e : env) := toB (e (ex d) TBool).
  Definition acc_in d (e : env) := e (ax d) (tt d).

  Lemma in_states d : In d ds -> forall s, In s (states_of d) -> In s sts.
  Proof. intros I s S'. apply in_flat_map. eauto. Qed.
  Lemma mix_meaning e s d t : good e -> agree r s -> In d ds -> In t [step' d; present (sm d); result (sm d)] -> meaning (mix e s) t = meaning s t.
  Proof.
    intros (_ & _ & E) A I T. apply meaning_ext. intros y u U. unfold mix. destruct (is_slot y) eqn:Y; auto.
    rewrite A, E; auto. apply (not_found _ _ _ t); auto. intros st S'. apply FR; auto. right. apply in_flat_map. eauto.
  Qed.
  Lemma udf_ok d e x m : good e -> In d ds -> eval e x m (step' d) = FS d m x.
  Proof.
    intros (_ & _ & E) I. apply eval_ext. intros y u U. destruct (TS d I) as (_ & _ & _ & _ & P & _).
    apply E; [eapply plain_occurs; eauto|]. apply (not_found _ _ _ (step' d)); auto. intros st S'. apply FR; auto. right. apply in_flat_map.
    exists d. cbn; auto.
  Qed.
  Lemma start_ok st : In st sts -> type (init st) = Some (aty st).
  Proof.
    intros S'. apply in_flat_map in S' as (d & I & S'). destruct (TS d I) as (T & _). destruct S' as [<-|[<-|[]]]; auto.
  Qed.
  Lemma after_typed e st : typed e -> In st sts -> type (udf st) = Some (aty st).
  Proof.
    intros E S'. apply in_flat_map in S' as (d & I & S'). destruct (W d I) as [W1 W2]. destruct (TS d I) as (_ & T & _).
    destruct S' as [<-|[<-|[]]]; cbn [udf aty mkst].
    - apply (disj2_ok e (ex_var d) (present (sm d)) E eq_refl W2).
    - apply (ite_ok e (present (sm d)) _ (ax_var d) (tt d) E W2); [|reflexivity].
      apply (apply_ok e E (step' d) (Some (vt d)) (Some (tt d)) (meaning e (proj (result (sm d)) 1)) (e (ax d) (tt d))); cbn; auto.
      + apply typed_meaning; auto. now apply (proj_type _ 1 [kt d; vt d]).
      + split; auto. now apply (proj_type _ 1 [kt d; vt d]).
  Qed.
  Lemma states_stand st : In st sts -> stands (acc st) = true.
  Proof.
    unfold all_states, states_of. intros I. apply in_flat_map in I as (d & D & I). destruct (KN d D) as (_ & _ & AX & EX). cbn in I. destruct I as [<-|[<-|[]]]; auto.
  Qed.
  Lemma after_values e d : typed e -> In d ds ->
    toB (meaning e (disj [ex_var d; present (sm d)])) = exists_in d e || present_at d e /\
    meaning e (ite (present (sm d)) (apply (Some (proj (result (sm d)) 1)) (Some (ax_var d)) (step' d)) (ax_var d)) =
      if present_at d e then eval e (value_at d e) (acc_in d e) (step' d) else acc_in d e.
  Proof.
    intros E I. destruct (W d I) as [W1 W2]. destruct (TS d I) as (_ & T & _). split.
    - rewrite (proj2 (disj2_ok e (ex_var d) (present (sm d)) E eq_refl W2)). apply toB_bool.
    - set (A := apply (Some (proj (result (sm d)) 1)) (Some (ax_var d)) (step' d)).
      assert (B : type A = Some (tt d) /\ meaning e A = eval e (meaning e (proj (result (sm d)) 1)) (e (ax d) (tt d)) (step' d)).
      { apply (apply_ok e E (step' d) (Some (vt d)) (Some (tt d))); cbn; auto.
        - apply typed_meaning; auto. now apply (proj_type _ 1 [kt d; vt d]).
        - split; auto. now apply (proj_type _ 1 [kt d; vt d]). }
      destruct B as [B1 B2]. rewrite (proj2 (ite_ok e (present (sm d)) A (ax_var d) (tt d) E W2 B1 eq_refl)), B2, m_proj. reflexivity.
  Qed.

  Lemma good_start : good e_start.
  Proof.
    assert (T : forall st, In st sts -> has_type (meaning r (init st)) (aty st)) by (intros; apply typed_meaning; auto using start_ok).
    destruct (states_ok inv sts TI states_stand r (fun st => meaning r (init st)) (fun st => Some (init st)) R T) as [S1 S2].
    { intros st I. split; auto using start_ok. }
    repeat split.
    - apply typed_upd; auto.
    - unfold e_start. rewrite <- S2. pose proof (V _ (or_introl eq_refl) r R) as X.
      rewrite (proj2 (implies_ok r _ _ R TG S1)), HG in X. exact X.
    - intros y u _ N. unfold e_start, upd. now rewrite N.
  Qed.
  Lemma good_G e : good e -> toB (meaning e G) = true.
  Proof. intros E. rewrite (good_plain inv sts r e G E PG), HG; auto. intros; apply FR; cbn; auto. Qed.
  Lemma good_key e d : good e -> In d ds -> e (kx d) (kt d) = r (kx d) (kt d).
  Proof. intros (_ & _ & E) I. destruct (KN d I) as (N & K & _). now apply E. Qed.
  Lemma guard_ok e d : typed e -> In d ds -> bool_term (guard d) /\
    toB (meaning e (guard d)) = implb (present_at d e) (veqb (key_at d e) (e (kx d) (kt d))).
  Proof.
    intros E I. destruct (W d I) as [W1 W2].
    destruct (eq_ok e (proj (result (sm d)) 0) (key_var d) (kt d) E) as [E1 E2]; [now apply (proj_type _ 0 [kt d; vt d])|reflexivity|].
    destruct (implies_ok e _ _ E W2 E1) as [I1 I2]. split; [exact I1|]. unfold guard. rewrite I2, E2, m_proj. reflexivity.
  Qed.
  Lemma good_next s e : enabled s -> good e -> good (next s e).
  Proof.
    intros (ST & SA & SE) GE. pose proof (good_mix G inv sts r HG PG PI DN e s GE ST) as GM. pose proof (proj1 GM) as M1.
    set (f := fun st => meaning (mix e s) (udf st)).
    assert (T : forall st, In st sts -> has_type (f st) (aty st)) by (intros; apply typed_meaning; auto; eapply after_typed; eauto).
    destruct (states_ok inv sts TI states_stand _ f (fun st => Some (udf st)) M1 T) as [S1 S2].
    { intros st I. split; auto. eapply after_typed; eauto. }
    assert (GD : forall d, In d ds -> bool_term (guard d) /\ toB (meaning (mix e s) (guard d)) = true).
    { intros d I. destruct (guard_ok (mix e s) d M1 I) as [G1 G2]. split; auto. rewrite G2. unfold present_at, key_at.
      rewrite !(mix_meaning e s d) by (cbn; auto). fold (present_at d s) (key_at d s). destruct (present_at d s) eqn:P; auto. cbn.
      rewrite (SE d I P), (good_key _ d GM I). apply veqb_refl. }
    repeat split.
    - now apply typed_upd.
    - unfold next. fold f. rewrite <- S2. pose proof (V _ (or_intror (or_introl eq_refl)) _ M1) as X.
      destruct (GD d1) as [A1 A2]; [cbn; auto|]. destruct (GD d2) as [B1 B2]; [cbn; auto|].
      destruct (conj_list_ok _ [guard d1; guard d2] M1) as [C1 C2]; [now repeat constructor|].
      destruct (conj_list_ok _ [G; inv; conj [guard d1; guard d2]] M1) as [D1 D2]; [now repeat constructor|].
      rewrite (proj2 (implies_ok _ _ _ M1 D1 S1)), D2 in X. cbn [map forallb] in X. rewrite C2 in X. cbn [map forallb] in X.
      rewrite A2, B2, (good_G _ GM), (proj1 (proj2 GM)) in X. exact X.
    - intros y u Y N. unfold next, upd. rewrite N. unfold mix. rewrite Y. now apply GE.
  Qed.
  Lemma next_values s e d : enabled s -> good e -> In d ds ->
    exists_in d (next s e) = exists_in d e || present_at d s /\
    acc_in d (next s e) = fold_left (FS d) (if present_at d s then [value_at d s] else []) (acc_in d e).
  Proof.
    intros (ST & SA & SE) GE I. pose proof (good_mix G inv sts r HG PG PI DN e s GE ST) as GM. pose proof (proj1 GM) as M1.
    destruct (KN d I) as (_ & _ & AX & EX). apply stands_slot in AX, EX. destruct (after_values (mix e s) d M1 I) as [A1 A2].
    unfold exists_in at 1, acc_in at 1, next, upd.
    pose proof (find_state_in sts (mkst (ex d) TBool ff' (disj [ex_var d; present (sm d)])) DN (in_states d I _ (or_introl eq_refl))) as F1.
    pose proof (find_state_in sts (mkst (ax d) (tt d) (start d) _) DN (in_states d I _ (or_intror (or_introl eq_refl)))) as F2.
    cbn [acc aty mkst] in F1, F2. rewrite F1, F2. cbn [udf mkst]. rewrite A1, A2. unfold exists_in, acc_in, present_at, value_at.
    rewrite !(mix_meaning e s d) by (cbn; auto). unfold mix. rewrite AX, EX. split; auto.
    destruct (toB (meaning s (present (sm d)))); auto. cbn. now apply udf_ok.
  Qed.
  Definition runs l := fold_left (fun e s => next s e) l e_start.
  Definition vals d l := flat_map (fun s => if present_at d s then [value_at d s] else []) l.
  Lemma runs_ok l : Forall enabled l -> good (runs l) /\ forall d, In d ds ->
    exists_in d (runs l) = existsb (present_at d) l /\ acc_in d (runs l) = fold_left (FS d) (vals d l) (meaning r (start d)).
  Proof.
    intros H.
    assert (K : forall e, good e -> good (fold_left (fun e s => next s e) l e) /\ forall d, In d ds ->
      exists_in d (fold_left (fun e s => next s e) l e) = exists_in d e || existsb (present_at d) l /\
      acc_in d (fold_left (fun e s => next s e) l e) = fold_left (FS d) (vals d l) (acc_in d e)).
    { induction H as [|s l E _ IH]; cbn [fold_left]; intros e GE.
      - split; auto. intros d I. cbn. now rewrite orb_false_r.
      - destruct (IH _ (good_next s e E GE)) as [I1 I2]. split; auto. intros d I. destruct (I2 d I) as [-> ->]. destruct (next_values s e d E GE I) as [-> ->].
        unfold vals at 2. cbn [existsb flat_map]. rewrite orb_assoc, fold_left_app. auto. }
    destruct (K e_start good_start) as [K1 K2]. unfold runs. split; auto. intros d I. destruct (K2 d I) as [-> ->].
    unfold exists_in, acc_in, e_start, upd.
    pose proof (find_state_in sts (mkst (ex d) TBool ff' (disj [ex_var d; present (sm d)])) DN (in_states d I _ (or_introl eq_refl))) as F1.
    pose proof (find_state_in sts (mkst (ax d) (tt d) (start d) _) DN (in_states d I _ (or_intror (or_introl eq_refl)))) as F2.
    cbn [acc aty mkst] in F1, F2. rewrite F1, F2. auto.
  Qed.
  Lemma in_bucket_out d s : typed s -> In d ds -> out s (bucket_mono d) =
    if present_at d s && veqb (key_at d s) (s (kx d) (kt d)) then [value_at d s] else [].
  Proof.
    intros S' I. destruct (W d I) as [W1 W2]. unfold out, bucket_mono; cbn [present result].
    destruct (eq_ok s (proj (result (sm d)) 0) (key_var d) (kt d) S') as [E1 E2]; [now apply (proj_type _ 0 [kt d; vt d])|reflexivity|].
    destruct (conj_list_ok s [present (sm d); eq' (proj (result (sm d)) 0) (key_var d)] S') as [C1 C2]; [now repeat constructor|].
    rewrite C2. cbn [map forallb]. rewrite E2, !m_proj, andb_true_r. reflexivity.
  Qed.
  (** The value of a bucket does not depend on the order of its elements. *)
  Lemma bucket_value d l ys : In d ds -> Forall enabled l -> Permutation ys (vals d l) ->
    fold_left (FS d) ys (meaning r (start d)) = acc_in d (runs l).
  Proof.
    intros I L P. rewrite (proj2 (proj2 (runs_ok l L) d I)).
    pose (Q := fun y => exists s, enabled s /\ present_at d s = true /\ y = value_at d s).
    pose (RE := fun a => exists l, Forall enabled l /\ a = acc_in d (runs l)).
    assert (OV : valid (order (conj [G; inv]) (in_bucket d) (bucket_mono d, bucket_mono d))).
    { apply V. unfold by_key_premises. clear -I. destruct I as [<-|[<-|[]]]; auto 20 using in_eq, in_cons. }
    apply (fold_left_perm (FS d) Q RE); auto.
    - intros a y (k & K & ->) (s & S1 & S2 & ->). exists (k ++ [s]). split; [apply Forall_app; auto|].
      unfold runs. rewrite fold_left_app. cbn [fold_left]. destruct (next_values s (runs k) d S1 (proj1 (runs_ok k K)) I) as [_ X].
      unfold runs in X. rewrite X, S2. reflexivity.
    - intros a y z (k & K & ->) (s & (S1 & S2 & S3) & S4 & ->) (s' & (S1' & S2' & S3') & S4' & ->).
      destruct (runs_ok k K) as [GE _]. set (e := runs k) in *. destruct (W d I) as [W1 W2]. destruct (TS d I) as (_ & TU & _ & _ & PU & _).
      destruct (SS d I) as (E1 & IX). destruct (KN d I) as (KF & KS & AX & _). apply stands_slot in AX.
      destruct (conj_list_ok e [G; inv] (proj1 GE)) as [C1 C2]; [now repeat constructor|].
      assert (X : In (value_at d s) (out s (bucket_mono d))).
      { rewrite in_bucket_out, S4, (S3 d I S4), S2 by auto. rewrite veqb_refl. cbn; auto. }
      assert (X' : In (value_at d s') (out s' (bucket_mono d))).
      { rewrite in_bucket_out, S4', (S3' d I S4'), S2' by auto. rewrite veqb_refl. cbn; auto. }
      pose proof (order_ok (conj [G; inv]) (in_bucket d) (bucket_mono d) (bucket_mono d) e s s' (value_at d s) (value_at d s') (proj1 GE) S1 S1' C1 PK) as O.
      cbn [acc aty udf ety in_bucket] in O. rewrite !(udf_ok d e) in O by auto.
      assert (BW : well (vt d) (bucket_mono d)).
      { split; cbn [result present bucket_mono].
        * now apply (proj_type _ 1 [kt d; vt d]).
        * destruct (eq_ok e (proj (result (sm d)) 0) (key_var d) (kt d) (proj1 GE)) as [Q1 _]; [now apply (proj_type _ 0 [kt d; vt d])|reflexivity|].
          apply (conj_list_ok e [present (sm d); eq' (proj (result (sm d)) 0) (key_var d)] (proj1 GE)). now repeat constructor. }
      assert (BX : indexed (bucket_mono d)).
      { destruct IX as [X1 X2 X3 X4]. split; auto; change (slots (bucket_mono d)) with (slots (sm d)); rewrite E1; apply (IB d); cbn; auto. }
      apply O; auto; clear O.
      + rewrite C2. cbn [map forallb]. now rewrite (good_G e GE), (proj1 (proj2 GE)).
      + intros t T y u Y U. rewrite S2, S2' by auto. destruct GE as (_ & _ & GE3).
        assert (T' : In t [present (bucket_mono d); result (bucket_mono d)]) by (cbn in T |- *; tauto).
        rewrite GE3; auto. apply (not_found _ _ _ t); auto. intros s0 J. now apply (IB d t I T').
    - apply Forall_forall. intros y Y. apply (Permutation_in _ P) in Y. apply in_flat_map in Y as (s & S1 & S2).
      destruct (present_at d s) eqn:Z; [|destruct S2]. destruct S2 as [<-|[]]. rewrite Forall_forall in L. exists s; auto.
    - exists []. split; auto. cbn. symmetry. apply (proj2 (runs_ok [] (Forall_nil _)) d I).
  Qed.

  Notation idx := (assign r r ss).
  Lemma idx_ok s : In s idx -> typed s /\ agree r s.
  Proof. intros I. apply assign_spec in I as (A & B & _); auto. intros ? ?; auto. Qed.
  Lemma pairs_ok d : In d ds -> Permutation (elements (meaning r (source d))) (flat_map (fun s => out s (sm d)) idx).
  Proof.
    intros I. destruct (TS d I) as (_ & _ & T & M & _ & P). destruct (monomials_ok _ _ _ M T P) as (_ & _ & H).
    specialize (H r R). cbn [flat_map] in H. rewrite app_nil_r in H.
    unfold outs in H. now rewrite (proj1 (SS d I)) in H.
  Qed.
  Definition bucket d k := fold_left (FS d) (map (component 1) (filter (fun p => veqb (component 0 p) k) (elements (meaning r (source d))))) (meaning r (start d)).
  Definition here d k s := present_at d s && veqb (key_at d s) k.
  Lemma values_ok d k : In d ds -> Permutation (map (component 1) (filter (fun p => veqb (component 0 p) k) (elements (meaning r (source d)))))
    (flat_map (fun s => if here d k s then [value_at d s] else []) idx).
  Proof.
    intros I. etransitivity; [apply Permutation_map, Permutation_filter, (pairs_ok d I)|]. rewrite filter_flat_map, map_flat_map.
    apply flat_map_same. intros s _. unfold out, here, present_at, key_at, value_at. destruct (toB (meaning s (present (sm d)))); cbn [filter map andb]; auto.
    destruct (veqb (component 0 (meaning s (result (sm d)))) k); cbn; auto.
  Qed.
  Lemma bucket_run d p : In d ds -> (forall s, In s idx -> p s = true -> enabled s) ->
    (forall s, In s idx -> here d (r (kx d) (kt d)) s = true -> p s = true) ->
    good (runs (filter p idx)) /\ bucket d (r (kx d) (kt d)) = acc_in d (runs (filter p idx)) /\
    exists_in d (runs (filter p idx)) = existsb (present_at d) (filter p idx).
  Proof.
    intros I E H. assert (L : Forall enabled (filter p idx)) by (apply Forall_forall; intros s; rewrite filter_In; intros [A B]; auto).
    split; [now apply runs_ok|split; [|now apply runs_ok]]. unfold bucket. apply bucket_value; auto.
    etransitivity; [apply (values_ok d _ I)|]. unfold vals. clear L.
    induction idx as [|s l IH]; cbn [flat_map filter]; auto.
    assert (IH' : Permutation (flat_map (fun s => if here d (r (kx d) (kt d)) s then [value_at d s] else []) l)
      (flat_map (fun s => if present_at d s then [value_at d s] else []) (filter p l))).
    { apply IH; intros; [apply E|apply H]; cbn; auto. }
    destruct (here d (r (kx d) (kt d)) s) eqn:HE.
    - rewrite (H s (or_introl eq_refl) HE). cbn [flat_map]. unfold here in HE. apply andb_true_iff in HE as [-> _]. cbn. now constructor.
    - cbn [app]. destruct (p s) eqn:PS; auto. cbn [flat_map]. destruct (present_at d s) eqn:PR; auto. exfalso.
      destruct (E s (or_introl eq_refl) PS) as (_ & _ & K). unfold here in HE. rewrite PR, (K d I PR), veqb_refl in HE. discriminate.
  Qed.
  Lemma keys_agree s s' : In s idx -> In s' idx -> (forall d, In d ds -> present_at d s = true) -> (forall d, In d ds -> present_at d s' = true) ->
    veqb (key_at d1 s) (key_at d1 s') = veqb (key_at d2 s) (key_at d2 s').
  Proof.
    intros I I' P P'. apply idx_ok in I as [T A]. apply idx_ok in I' as [T' A']. set (b := both ss r s s').
    assert (TB : typed b) by now apply both_typed.
    assert (M : forall d, In d ds -> (meaning b (present (sm d)) = meaning s (present (sm d)) /\ meaning b (result (sm d)) = meaning s (result (sm d))) /\
      (type (twin d (present (sm d))) = Some TBool /\ meaning b (twin d (present (sm d))) = meaning s' (present (sm d))) /\
      (type (twin d (result (sm d))) = Some (TTup [kt d; vt d]) /\ meaning b (twin d (result (sm d))) = meaning s' (result (sm d)))).
    { intros d D. destruct (SS d D) as (<- & [E2 E3 E4 E5]). destruct (W d D) as [W1 W2]. unfold twin, b. split; [split|split].
      - apply both_first; auto. intros; symmetry; now apply A.
      - apply both_first; auto. intros; symmetry; now apply A.
      - apply both_second; auto. intros; symmetry; now apply A'.
      - apply both_second; auto. intros; symmetry; now apply A'. }
    assert (SK : forall d, In d ds -> bool_term (same_key d) /\ toB (meaning b (same_key d)) = veqb (key_at d s) (key_at d s')).
    { intros d D. destruct (M d D) as ((M1 & M2) & (M3 & M4) & (M5 & M6)). destruct (W d D) as [W1 W2].
      destruct (eq_ok b (proj (result (sm d)) 0) (proj (twin d (result (sm d))) 0) (kt d) TB) as [E1 E2].
      - now apply (proj_type _ 0 [kt d; vt d]). - now apply (proj_type _ 0 [kt d; vt d]).
      - split; auto. unfold same_key. rewrite E2, !m_proj, M2, M6. reflexivity. }
    assert (D1 : In d1 ds) by (cbn; auto). assert (D2 : In d2 ds) by (cbn; auto).
    destruct (SK d1 D1) as [K1 K2]. destruct (SK d2 D2) as [K3 K4].
    destruct (M d1 D1) as ((M1 & M2) & (M3 & M4) & (M5 & M6)). destruct (M d2 D2) as ((N1 & N2) & (N3 & N4) & (N5 & N6)).
    destruct (eq_ok b (same_key d1) (same_key d2) TBool TB K1 K3) as [E1 E2].
    destruct (conj_list_ok b [G; present (sm d1); twin d1 (present (sm d1)); present (sm d2); twin d2 (present (sm d2))] TB) as [C1 C2].
    { repeat constructor; auto; [apply (W d1 D1)|apply (W d2 D2)]. }
    pose proof (V _ (or_intror (or_intror (or_intror (or_intror (or_introl eq_refl))))) b TB) as X.
    rewrite (proj2 (implies_ok b _ _ TB C1 E1)), C2 in X. cbn [map forallb] in X.
    assert (GB : toB (meaning b G) = true) by (unfold b; now rewrite both_plain).
    rewrite GB, M1, M4, N1, N4 in X. unfold present_at in P, P'. rewrite (P d1 D1), (P' d1 D1), (P d2 D2), (P' d2 D2) in X. cbn [andb implb] in X.
    rewrite E2 in X. apply veqb_eq in X. rewrite <- K2, <- K4, X. reflexivity.
  Qed.

  (** What follows the folds. *)
  Variable pt : side -> ty.
  Hypothesis PMW : forall d, In d ds -> well (pt d) (pm d) /\ pt d1 = pt d2.
  Hypothesis PMC : forall d t, In d ds -> In t [present (pm d); result (pm d)] -> covered [(Post, pair_type d, O)] t = true /\
    occurs Post t = false /\ forall s, In s sts -> occurs (acc s) t = false.
  Definition output d k (w : env) := out (set w (S Post O) (pair_type d) (VTup [k; bucket d k])) (pm d).
  Lemma put_pair_ok d e : typed e -> In d ds -> good e -> forall t k, In t [present (pm d); result (pm d)] -> type t = Some k ->
    type (substitute (put_pair d) t) = Some k /\
    forall w, (forall y u, is_slot y = false -> name_eqb y Post = false -> w y u = r y u) ->
    meaning e (substitute (put_pair d) t) = meaning (set w (S Post O) (pair_type d) (VTup [r (kx d) (kt d); acc_in d e])) t.
  Proof.
    intros TE I GE t k T TT. set (v := VTup [r (kx d) (kt d); acc_in d e]).
    assert (TV : has_type v (pair_type d)).
    { apply has_type_tup. repeat constructor; [apply R|apply TE]. }
    destruct (substitute_ok (set e (S Post O) (pair_type d) v) e (put_pair d) (set_typed _ _ _ _ TE TV) TE) with (t := t) (ce := @None ty) (ca := @None ty) (u := k) as [S1 S2]; auto.
    - intros z u Z. destruct z as [| | |x t0| | |]; try discriminate. destruct x as [|x slot| | |]; try discriminate. destruct x; try discriminate. destruct slot; try discriminate.
      cbn [put_pair] in Z. destruct (ty_eqb t0 (pair_type d)) eqn:E; [|discriminate]. apply ty_eqb_eq in E. subst t0. inversion Z; subst; clear Z.
      exists (pair_type d). repeat split. unfold meaning at 2; cbn [run in_order]. unfold set. cbn [name_eqb Nat.eqb]. rewrite ty_eqb_refl. cbn [andb].
      unfold meaning, v; cbn [run in_order map key_var ax_var]. now rewrite (good_key e d GE I).
    - intros y u _ N. unfold set. destruct N as [N|N]; [|now destruct y]. destruct (name_eqb y (S Post O) && ty_eqb u (pair_type d)) eqn:E; auto. exfalso.
      apply andb_true_iff in E as [E1 E2]. apply name_eqb_eq in E1. subst y. cbn [put_pair] in N. rewrite E2 in N. discriminate.
    - split; auto. intros w HW. unfold meaning at 1. rewrite (S2 nothing nothing Logic.I Logic.I). apply meaning_ext. intros y u U.
      destruct (PMC d t I T) as (C1 & C2 & C3). unfold set. destruct (is_slot y) eqn:Y.
      + destruct y as [|x i| | |]; try discriminate. pose proof (covered_uses _ _ _ _ _ C1 U) as X. cbn [existsb] in X. rewrite orb_false_r in X.
        apply slot_eqb_eq in X. inversion X; subst. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl.
      + destruct (name_eqb y (S Post O)) eqn:Z; [apply name_eqb_eq in Z; subst; discriminate|]. cbn [andb].
        destruct (name_eqb y Post) eqn:Q; [apply name_eqb_eq in Q; subst; apply uses_occurs in U; congruence|].
        rewrite HW by auto. apply GE; auto. apply (not_found _ _ _ t); auto.
  Qed.
  Lemma out_present_ok d e w : typed e -> In d ds -> good e -> (forall y u, is_slot y = false -> name_eqb y Post = false -> w y u = r y u) ->
    bool_term (out_present d) /\ toB (meaning e (out_present d)) =
      exists_in d e && toB (meaning (set w (S Post O) (pair_type d) (VTup [r (kx d) (kt d); acc_in d e])) (present (pm d))).
  Proof.
    intros TE I GE HW. destruct (PMW d I) as [[P1 P2] _]. destruct (put_pair_ok d e TE I GE (present (pm d)) TBool) as [A1 A2]; [cbn; auto|auto|].
    destruct (conj_list_ok e [ex_var d; substitute (put_pair d) (present (pm d))] TE) as [C1 C2]; [repeat constructor; auto|].
    split; auto. unfold out_present. rewrite C2. cbn [map forallb]. rewrite (A2 w HW), andb_true_r. reflexivity.
  Qed.
  Lemma final e w1 w2 : good e -> (forall y u, is_slot y = false -> name_eqb y Post = false -> w1 y u = r y u) ->
    (forall y u, is_slot y = false -> name_eqb y Post = false -> w2 y u = r y u) ->
    let o d w := out (set w (S Post O) (pair_type d) (VTup [r (kx d) (kt d); acc_in d e])) (pm d) in
    (if exists_in d1 e then o d1 w1 else []) = (if exists_in d2 e then o d2 w2 else []).
  Proof.
    intros GE H1 H2. cbn zeta. pose proof (proj1 GE) as TE. assert (D1 : In d1 ds) by (cbn; auto). assert (D2 : In d2 ds) by (cbn; auto).
    destruct (out_present_ok d1 e w1 TE D1 GE H1) as [A1 A2]. destruct (out_present_ok d2 e w2 TE D2 GE H2) as [B1 B2].
    destruct (PMW d1 D1) as [[P1 P2] PT]. destruct (PMW d2 D2) as [[Q1 Q2] _]. 
    destruct (put_pair_ok d1 e TE D1 GE (result (pm d1)) (pt d1)) as [R1 R2]; [cbn; auto|auto|].
    destruct (put_pair_ok d2 e TE D2 GE (result (pm d2)) (pt d2)) as [S1 S2]; [cbn; auto|auto|].
    rewrite <- PT in S1. fold (out_result d1) in R1, R2. fold (out_result d2) in S1, S2.
    destruct (eq_ok e (out_result d1) (out_result d2) (pt d1) TE R1 S1) as [E1 E2].
    destruct (conj_list_ok e [G; inv] TE) as [K1 K2]; [now repeat constructor|].
    destruct (conj_list_ok e [conj [G; inv]; out_present d1] TE) as [L1 L2]; [now repeat constructor|].
    destruct (conj_list_ok e [conj [G; inv]; out_present d2] TE) as [M1 M2]; [now repeat constructor|].
    destruct (conj_list_ok e [out_present d2; eq' (out_result d1) (out_result d2)] TE) as [N1 N2]; [now repeat constructor|].
    pose proof (V _ (or_intror (or_intror (or_intror (or_intror (or_intror (or_introl eq_refl)))))) e TE) as X.
    pose proof (V _ (or_intror (or_intror (or_intror (or_intror (or_intror (or_intror (or_introl eq_refl))))))) e TE) as Y.
    rewrite (proj2 (implies_ok e _ _ TE L1 N1)), L2, N2 in X. rewrite (proj2 (implies_ok e _ _ TE M1 A1)), M2 in Y. cbn [map forallb] in X, Y.
    rewrite K2 in X, Y. cbn [map forallb] in X, Y. rewrite (good_G e GE), (proj1 (proj2 GE)) in X, Y. rewrite ?andb_true_r in X, Y. cbn [andb] in X, Y.
    rewrite A2, B2, E2, (R2 w1 H1), (S2 w2 H2) in X. rewrite A2, B2 in Y. unfold out.
    destruct (exists_in d1 e), (exists_in d2 e); cbn [andb implb] in *;
      repeat match goal with |- context [if toB ?a then _ else _] => destruct (toB a) end; cbn [andb implb] in *; try discriminate; auto.
    rewrite ?andb_true_r in X. apply veqb_eq in X. now rewrite X.
  Qed.
End BySound.
